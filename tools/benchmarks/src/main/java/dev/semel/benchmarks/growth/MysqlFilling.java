package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.store.Payload;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * The tables of MySQL and MariaDB, with an odd fence for each record, which is the number of its first entry of the audit.
 *
 * <p>A table lies in the order of its keys. Those of a portion come in that order, which spares the disk a page for every
 * row; those of the portions among each other do not, so that pages are as full as they are otherwise.
 */
final class MysqlFilling implements TableFilling {

    /** Numbers that both servers can make without a setting: eight to the sixth, which is more than a portion has. */
    private static final String MADE = """
            WITH octal AS (
                SELECT 0 AS n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3
                UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7),
            given AS (SELECT ? AS lowest, ? AS highest, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS moment),
            numbered AS (
                SELECT g.lowest + a.n + 8 * (b.n + 8 * (c.n + 8 * (d.n + 8 * (e.n + 8 * f.n)))) AS i, g.*
                FROM octal a, octal b, octal c, octal d, octal e, octal f, given g),
            made AS (
                SELECT CONCAT(MD5(i), '-g') AS made_key, MD5(CONCAT('holder', i)) AS holder,
                    2 * (lowest + ROW_NUMBER() OVER (ORDER BY MD5(i))) - 3 AS fence, moment, moment - 3600000000 AS at
                FROM numbered WHERE i <= highest)
            """;

    private static final String RECORDS = """
            INSERT INTO semel_record (scope, `key`, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                expires_at, created_at, updated_at, claimed_at, response)
            """ + MADE + """
            SELECT ?, made_key, 'bench', ?, 'completed', fence, 1, FALSE, holder, moment + ? * 1000000, at, at, at, UNHEX(?)
            FROM made ORDER BY fence
            """;

    private static final String AUDIT = """
            INSERT INTO semel_audit (number, scope, `key`, at, `change`, fence, from_state, to_state, who)
            """ + MADE + """
            SELECT fence + c.later, ?, made_key, at, c.`change`, IF(c.later, fence, NULL), c.from_state, c.to_state, holder
            FROM made CROSS JOIN (
                SELECT 0 AS later, 'granted' AS `change`, NULL AS from_state, 'in_progress' AS to_state
                UNION ALL SELECT 1, 'settled', 'in_progress', 'completed') c
            ORDER BY fence + c.later
            """;

    @Override
    public void portion(Connection connection, int from, int to, long retentionSeconds) throws SQLException {
        TableFilling.insert(
                connection,
                RECORDS,
                List.of(from, to, Payload.SCOPE, Payload.FINGERPRINT.value(), retentionSeconds, RESPONSE_HEX));
        TableFilling.insert(connection, AUDIT, List.of(from, to, Payload.SCOPE));
    }

    /** Taking the tables for an export writes their pages to disk. */
    @Override
    public void end(Connection connection, int count) throws SQLException {
        TableFilling.execute(
                connection,
                "ANALYZE TABLE semel_record, semel_audit",
                "FLUSH TABLES semel_record, semel_audit FOR EXPORT",
                "UNLOCK TABLES");
    }
}

package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.store.Payload;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** SQLite's tables, with fences that count the records. */
final class SqliteFilling implements TableFilling {

    private static final String RECORDS = """
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                expires_at, created_at, updated_at, claimed_at, response)
            WITH RECURSIVE series (i, first, last, scope, fingerprint, seconds, response) AS (
                SELECT ?5, ?5, ?6, ?1, ?2, ?3, ?4
                UNION ALL
                SELECT i + 1, first, last, scope, fingerprint, seconds, response FROM series WHERE i < last)
            SELECT scope, lower(hex(randomblob(16))) || '-g', 'bench', fingerprint, 'completed', i, 1, 0,
                lower(hex(randomblob(16))), (unixepoch() + seconds) * 1000000, (unixepoch() - 3600) * 1000000,
                (unixepoch() - 3600) * 1000000, (unixepoch() - 3600) * 1000000, unhex(response)
            FROM series
            """;

    private static final String AUDIT = """
            INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who)
            SELECT r.scope, r.key, r.created_at, c.change, r.fence, c.from_state, c.to_state, r.holder
            FROM semel_record r CROSS JOIN (
                SELECT 'granted' AS change, NULL AS from_state, 'in_progress' AS to_state
                UNION ALL SELECT 'settled', 'in_progress', 'completed') c
            WHERE r.rowid BETWEEN ?1 AND ?2
            """;

    @Override
    public void portion(Connection connection, int from, int to, long retentionSeconds) throws SQLException {
        TableFilling.insert(
                connection,
                RECORDS,
                List.of(Payload.SCOPE, Payload.FINGERPRINT.value(), retentionSeconds, RESPONSE_HEX, from, to));
        TableFilling.insert(connection, AUDIT, List.of(from, to));
    }

    @Override
    public void end(Connection connection, int count) throws SQLException {
        TableFilling.insert(connection, "UPDATE semel_fence SET last = max(last, ?)", List.of(count));
        TableFilling.execute(connection, "ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)");
    }
}

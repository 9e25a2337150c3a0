package dev.semel.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.store.Payload;
import dev.semel.benchmarks.suite.Progress;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.List;

/**
 * Puts completed records and their audit into a store's tables, as if they had been claimed and completed one by one: with
 * keys in no order, each with a fence, a holder, a response of 256 bytes and two entries of the audit.
 */
final class Filling {

    /** So many at a time, so that somebody who waits sees that it goes on. */
    private static final int PORTION = 250_000;

    private static final String POSTGRESQL_RECORDS = """
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                expires_at, created_at, updated_at, claimed_at, response)
            SELECT ?, 'g-' || md5(made.i::text), 'bench', ?, 'completed', made.fence, 1, false, made.holder,
                now() + ? * interval '1 second', made.at, made.at, made.at, decode(?, 'hex')
            FROM (
                SELECT i, nextval('semel_fence') AS fence, md5('holder' || i) AS holder,
                    now() - interval '1 hour' AS at
                FROM generate_series(?::bigint, ?::bigint) AS i) AS made
            """;

    private static final String SQLITE_RECORDS = """
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                expires_at, created_at, updated_at, claimed_at, response)
            WITH RECURSIVE series (i, first, last, scope, fingerprint, seconds, response) AS (
                SELECT ?5, ?5, ?6, ?1, ?2, ?3, ?4
                UNION ALL
                SELECT i + 1, first, last, scope, fingerprint, seconds, response FROM series WHERE i < last)
            SELECT scope, 'g-' || lower(hex(randomblob(16))), 'bench', fingerprint, 'completed', i, 1, 0,
                lower(hex(randomblob(16))), (unixepoch() + seconds) * 1000000, (unixepoch() - 3600) * 1000000,
                (unixepoch() - 3600) * 1000000, (unixepoch() - 3600) * 1000000, unhex(response)
            FROM series
            """;

    private static final String SQLITE_AUDIT = """
            INSERT INTO semel_audit (scope, key, at, change, fence, from_state, to_state, who)
            SELECT r.scope, r.key, r.created_at, c.change, r.fence, c.from_state, c.to_state, r.holder
            FROM semel_record r CROSS JOIN (
                SELECT 'granted' AS change, NULL AS from_state, 'in_progress' AS to_state
                UNION ALL SELECT 'settled', 'in_progress', 'completed') c
            WHERE r.rowid BETWEEN ?1 AND ?2
            """;

    private final Database database;
    private final Progress progress;

    Filling(Database database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    /**
     * Fills tables that are empty.
     *
     * @param retentionSeconds until they are past their retention; negative if they are already
     */
    void fill(int count, long retentionSeconds) throws SQLException {
        try (HikariDataSource pool = database.pool(1);
                Connection connection = pool.getConnection()) {
            boolean postgresql = database.dialect() == Dialect.POSTGRESQL;
            PostgresIndexes indexes = postgresql ? PostgresIndexes.drop(connection) : null;
            connection.setAutoCommit(false);
            for (int from = 1; from <= count; from += PORTION) {
                progress.status("filling: " + Figures.count(from - 1) + " of " + Figures.count(count) + " records");
                portion(connection, postgresql, from, Math.min(count, from + PORTION - 1), retentionSeconds);
                connection.commit();
            }
            if (!postgresql) {
                insert(connection, "UPDATE semel_fence SET last = max(last, ?)", List.of(count));
                connection.commit();
            }
            connection.setAutoCommit(true);
            progress.status("filling: indexes and statistics of " + Figures.count(count) + " records");
            if (indexes != null) {
                indexes.create(connection);
            }
            settle(connection, postgresql);
        }
    }

    private static void portion(Connection connection, boolean postgresql, int from, int to, long retentionSeconds)
            throws SQLException {
        String response = "0100" + HexFormat.of().formatHex(Payload.response());
        insert(
                connection,
                postgresql ? POSTGRESQL_RECORDS : SQLITE_RECORDS,
                List.of(Payload.SCOPE, Payload.FINGERPRINT.value(), retentionSeconds, response, from, to));
        if (!postgresql) {
            insert(connection, SQLITE_AUDIT, List.of(from, to));
        }
    }

    private static void insert(Connection connection, String sql, List<Object> arguments) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            for (int index = 0; index < arguments.size(); index++) {
                insert.setObject(index + 1, arguments.get(index));
            }
            insert.executeUpdate();
        }
    }

    /** What a server that lives with these tables would have done in the meantime. */
    private static void settle(Connection connection, boolean postgresql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            if (postgresql) {
                statement.execute("VACUUM (ANALYZE) semel_record");
                statement.execute("CHECKPOINT");
            } else {
                statement.execute("ANALYZE");
                statement.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            }
        }
    }
}

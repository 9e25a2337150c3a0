package dev.semel.benchmarks.search;

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

/**
 * Puts records of every state into a store's empty tables, without their audit, which searches do not read. Of a thousand
 * records, one is in progress, two are unknown (one of them dead-lettered), 20 may be retried, 30 are expired and kept, and
 * the others are completed. A claim comes every 100 ms, the last one now.
 */
final class MixedFilling {

    /** One of 40 tenants, who share the records evenly. */
    static final String SCOPE = "tenant-7";

    /** One record of a thousand. */
    static final String RARE_OPERATION = "refund";

    /** So many at a time, so that the progress shows. */
    private static final int PORTION = 250_000;

    /** A response as records keep it: one byte for the version of the format, one without flags, then the response. */
    private static final String RESPONSE_HEX = "0100" + HexFormat.of().formatHex(Payload.response());

    private static final String STATE = """
            CASE WHEN i % 1000 = 0 THEN 'in_progress'
                 WHEN i % 1000 IN (250, 750) THEN 'unknown'
                 WHEN i % 1000 < 21 THEN 'failed_retryable'
                 WHEN i % 1000 < 51 THEN 'expired'
                 ELSE 'completed' END AS state
            """;

    private static final String POSTGRESQL = """
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                locked_until, expires_at, created_at, updated_at, claimed_at, response, reason, unknown_since, next_try_at)
            SELECT 'tenant-' || (i % 40), md5(i::text), CASE WHEN i % 1000 = 500 THEN 'refund' ELSE 'create-payment' END, ?,
                state, nextval('semel_fence'), 1, false, md5('holder' || i),
                CASE state WHEN 'in_progress' THEN now() + interval '1 day' END,
                CASE WHEN state = 'expired' THEN now() - interval '1 hour'
                     WHEN state NOT IN ('in_progress', 'unknown') THEN now() + interval '30 days' END,
                at, at, at,
                CASE state WHEN 'completed' THEN decode(?, 'hex') END,
                CASE state WHEN 'unknown' THEN 'in_progress_lock_expired' END,
                CASE state WHEN 'unknown' THEN at END,
                CASE WHEN i % 1000 = 250 THEN now() + interval '1 day' END
            FROM (
                SELECT i, now() - (? - i) * interval '100 milliseconds' AS at,
            """ + STATE + """
                FROM generate_series(?::bigint, ?::bigint) AS i) AS made
            """;

    private static final String SQLITE = """
            INSERT INTO semel_record (scope, key, operation, fingerprint, state, fence, attempts, reexecutable, holder,
                locked_until, expires_at, created_at, updated_at, claimed_at, response, reason, unknown_since, next_try_at)
            WITH RECURSIVE series (i, last, count, fingerprint, response) AS (
                SELECT ?4, ?5, ?3, ?1, unhex(?2)
                UNION ALL
                SELECT i + 1, last, count, fingerprint, response FROM series WHERE i < last),
            made AS (
                SELECT i, fingerprint, response, unixepoch() * 1000000 AS moment,
                    unixepoch() * 1000000 - (count - i) * 100000 AS at,
            """ + STATE + """
                FROM series)
            SELECT 'tenant-' || (i % 40), lower(hex(randomblob(16))),
                CASE WHEN i % 1000 = 500 THEN 'refund' ELSE 'create-payment' END, fingerprint,
                state, i, 1, 0, lower(hex(randomblob(16))),
                CASE state WHEN 'in_progress' THEN moment + 86400000000 END,
                CASE WHEN state = 'expired' THEN moment - 3600000000
                     WHEN state NOT IN ('in_progress', 'unknown') THEN moment + 30 * 86400000000 END,
                at, at, at,
                CASE state WHEN 'completed' THEN response END,
                CASE state WHEN 'unknown' THEN 'in_progress_lock_expired' END,
                CASE state WHEN 'unknown' THEN at END,
                CASE WHEN i % 1000 = 250 THEN moment + 86400000000 END
            FROM made
            """;

    private final Database database;
    private final Progress progress;

    MixedFilling(Database database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    void fill(int count) throws SQLException {
        boolean postgresql = database.dialect() == Dialect.POSTGRESQL;
        try (HikariDataSource pool = database.pool(1);
                Connection connection = pool.getConnection();
                PreparedStatement insert = connection.prepareStatement(postgresql ? POSTGRESQL : SQLITE);
                Statement end = connection.createStatement()) {
            for (int from = 1; from <= count; from += PORTION) {
                progress.status("filling: " + Figures.count(from - 1) + " of " + Figures.count(count) + " records");
                insert.setString(1, Payload.FINGERPRINT.value());
                insert.setString(2, RESPONSE_HEX);
                insert.setInt(3, count);
                insert.setInt(4, from);
                insert.setInt(5, Math.min(count, from + PORTION - 1));
                insert.executeUpdate();
            }
            if (postgresql) {
                end.execute("VACUUM (ANALYZE) semel_record");
                end.execute("CHECKPOINT");
            } else {
                end.execute("UPDATE semel_fence SET last = max(last, " + count + ")");
                end.execute("ANALYZE");
                end.execute("PRAGMA wal_checkpoint(TRUNCATE)");
            }
        }
        progress.line("filled " + Figures.count(count) + " records");
    }
}

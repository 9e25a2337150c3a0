package dev.semel.benchmarks.growth;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.suite.Progress;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Puts completed records and their audit into a store's tables, as if they had been claimed and completed one by one: with
 * keys in no order, each with a fence, a holder, a response of 256 bytes and two entries of the audit.
 */
public final class Filling {

    /** So many at a time, so that the progress shows. */
    private static final int PORTION = 250_000;

    private final Database database;
    private final Progress progress;

    public Filling(Database database, Progress progress) {
        this.database = database;
        this.progress = progress;
    }

    /**
     * Fills tables that are empty.
     *
     * @param retentionSeconds until they are past their retention; negative if they are already
     */
    public void fill(int count, long retentionSeconds) throws SQLException {
        try (HikariDataSource pool = database.pool(1);
                Connection connection = pool.getConnection()) {
            TableFilling tables = TableFilling.begin(database.dialect(), connection);
            connection.setAutoCommit(false);
            for (int from = 1; from <= count; from += PORTION) {
                progress.status("filling: " + Figures.count(from - 1) + " of " + Figures.count(count) + " records");
                tables.portion(connection, from, Math.min(count, from + PORTION - 1), retentionSeconds);
                connection.commit();
            }
            connection.setAutoCommit(true);
            progress.status("filling: indexes and statistics of " + Figures.count(count) + " records");
            tables.end(connection, count);
        }
    }
}

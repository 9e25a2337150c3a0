package dev.semel.jdbc;

import dev.semel.jdbc.config.SchemaMode;
import dev.semel.jdbc.mysql.MysqlHarness;
import dev.semel.jdbc.postgresql.PostgresHarness;
import dev.semel.jdbc.sqlite.SqliteHarness;
import dev.semel.jdbc.sqlite.SqliteOptions;
import dev.semel.testkit.ReconcilerScenario;
import dev.semel.testkit.StoreHarness;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Two reconcilers on one store")
class SharedReconcilingTest {

    private static final int RECORDS = 10_000;

    @Test
    @DisplayName("resolve each of 10,000 unknown records once on PostgreSQL, and skip none")
    void on_postgresql() throws Exception {
        try (StoreHarness harness = new PostgresHarness()) {
            ReconcilerScenario.twoShareTheWork(harness, RECORDS);
        }
    }

    @Test
    @DisplayName("resolve each of 2,000 unknown records once on MariaDB, and skip none")
    void on_mariadb() throws Exception {
        try (StoreHarness harness = new MysqlHarness(Connection.TRANSACTION_READ_COMMITTED)) {
            ReconcilerScenario.twoShareTheWork(harness, RECORDS / 5);
        }
    }

    @Test
    @DisplayName("resolve each of 10,000 unknown records once on SQLite, and skip none")
    void on_sqlite(@TempDir Path directory) throws Exception {
        // Two handles write all the time, and SQLite grants the lock in no fair order: a long timeout for the loser.
        SqliteOptions patient = new SqliteOptions(SchemaMode.CREATE, Duration.ofMinutes(5));
        try (StoreHarness harness = new SqliteHarness(directory.resolve("semel.db"), patient)) {
            ReconcilerScenario.twoShareTheWork(harness, RECORDS);
        }
    }
}

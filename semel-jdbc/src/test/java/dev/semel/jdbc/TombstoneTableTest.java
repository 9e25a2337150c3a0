package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Operation.LateRetries;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.testkit.contract.StoreVerbs;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The table of tombstones")
class TombstoneTableTest {

    private static final int MANY = 20_000;

    @TempDir
    Path folder;

    private static void execute(DataSource dataSource, String... statements) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static long number(DataSource dataSource, String sql) throws SQLException {
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    private static ClaimAnswer claim(Store store, String key, Instant time) {
        return store.blocking()
                .claim(StoreVerbs.request(key)
                        .withFirstUse(FirstUse.of(time, Duration.ofHours(24), LateRetries.BY_KEY)));
    }

    /** A store that was created without the table opens, works, and gets it where it may. */
    private static void check(String uri, DataSource dataSource, String... drop) throws SQLException {
        try (Store store = Stores.open(uri)) {
            assertThat(claim(store, "before", Instant.now())).isInstanceOf(ClaimAnswer.Granted.class);
        }
        execute(dataSource, drop);
        String validate = uri + "?schemaMode=validate";
        try (Store store = Stores.open(validate)) {
            assertThat(claim(store, "without", Instant.now())).isInstanceOf(ClaimAnswer.Granted.class);
            assertThat(claim(store, "late", Instant.now().minus(Duration.ofDays(2))))
                    .isInstanceOf(ClaimAnswer.TooLate.class);
            assertThat(store.prune(10, Expiry.DELETE)).isZero();
        }
        assertThatThrownBy(() -> Stores.open(validate + "&tombstoneDays=30"))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("tombstones are switched on, but there is no table semel_tombstone");
        try (Store store = Stores.open(uri + "?tombstoneDays=30")) {
            buried(store, "k");
            assertThat(claim(store, "k", null)).isInstanceOf(ClaimAnswer.TooLate.class);
        }
        try (Store store = Stores.open(validate + "&tombstoneDays=30")) {
            assertThat(claim(store, "k", null)).isInstanceOf(ClaimAnswer.TooLate.class);
            assertThat(store.blocking().find(Identity.of("acme", "before"))).isPresent();
        }
    }

    private static void buried(Store store, String key) {
        Lease lease = ((ClaimAnswer.Granted) claim(store, key, null)).lease();
        store.blocking().settle(lease, new Outcome.Completed(Response.of(new byte[10])), Duration.ofNanos(1_000));
        while (store.prune(10, Expiry.DELETE) == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void is_added_to_a_store_of_an_earlier_release_in_sqlite() throws SQLException {
        Path file = folder.resolve("semel.db");
        check("sqlite:" + file, SqliteStore.dataSource(file), "DROP TABLE semel_tombstone");
    }

    @Test
    void is_added_to_a_store_of_an_earlier_release_in_postgresql() throws SQLException {
        String uri = PostgresServer.shared().newDatabase();
        check(uri, PostgresServer.dataSource(uri), "DROP TABLE semel_tombstone", "DROP SEQUENCE semel_deleted");
    }

    @Test
    void is_added_to_a_store_of_an_earlier_release_in_mariadb() throws SQLException {
        String uri = MariadbServer.shared().newDatabase();
        check(uri, dataSource(uri), "DROP TABLE semel_tombstone");
    }

    private static DataSource dataSource(String uri) {
        return ((StoreUri.Mysql) StoreUri.parse(uri + "?poolSize=1")).dataSource();
    }

    /** Fills a store with records that are deleted, and returns what the database says of the table. */
    private static void measure(String name, String uri, DataSource dataSource, String bytes, String... before)
            throws SQLException {
        try (Store store = Stores.open(uri + "?tombstoneDays=30")) {
            for (int first = 0; first < MANY; first += 1_000) {
                List<CompletionStage<ClaimAnswer>> claims = new ArrayList<>();
                for (int i = 0; i < 1_000; i++) {
                    claims.add(store.claim(StoreVerbs.request(UUID.randomUUID().toString())));
                }
                List<CompletionStage<?>> settlements = new ArrayList<>();
                for (CompletionStage<ClaimAnswer> claim : claims) {
                    Lease lease = ((ClaimAnswer.Granted) StoreVerbs.await(claim)).lease();
                    settlements.add(store.settle(
                            lease, new Outcome.Completed(Response.of(new byte[200])), Duration.ofNanos(1_000)));
                }
                settlements.forEach(StoreVerbs::await);
            }
            int deleted = 0;
            while (deleted < MANY) {
                deleted += store.prune(1_000, Expiry.DELETE);
            }
        }
        execute(dataSource, before);
        long tombstones =
                number(dataSource, "SELECT count(*) FROM semel_tombstone") - (name.equals("PostgreSQL") ? 0 : 1);
        long each = number(dataSource, bytes) / MANY;
        System.out.println("bytes per tombstone, " + name + ": " + each);
        assertThat(tombstones).isEqualTo(MANY);
        assertThat(each).isBetween(16L, 400L);
    }

    @Test
    @DisplayName("takes few bytes for each")
    void takes_few_bytes_for_each() throws SQLException {
        String postgresql = PostgresServer.shared().newDatabase();
        measure(
                "PostgreSQL",
                postgresql,
                PostgresServer.dataSource(postgresql),
                "SELECT pg_total_relation_size('semel_tombstone')",
                "VACUUM semel_tombstone");
        String mariadb = MariadbServer.shared().newDatabase();
        measure(
                "MariaDB",
                mariadb,
                dataSource(mariadb),
                "SELECT data_length + index_length FROM information_schema.tables"
                        + " WHERE table_schema = DATABASE() AND table_name = 'semel_tombstone'",
                "ANALYZE TABLE semel_tombstone");
        Path file = folder.resolve("semel.db");
        measure(
                "SQLite",
                "sqlite:" + file,
                SqliteStore.dataSource(file),
                "SELECT sum(pgsize) FROM dbstat WHERE name IN ('semel_tombstone', 'semel_tombstone_age')");
    }
}

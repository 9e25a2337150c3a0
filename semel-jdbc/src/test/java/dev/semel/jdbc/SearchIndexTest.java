package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.jdbc.sqlite.SqliteStore;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.servers.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store of a release without searches, or with another index for them")
class SearchIndexTest {

    private static final String INDEX = "semel_record_search";
    private static final String DROP = "DROP INDEX " + INDEX;
    private static final String EARLIER = "semel_record_claimed";

    /** The index of the release before, in PostgreSQL and SQLite. */
    private static final String CREATE_EARLIER =
            "CREATE INDEX " + EARLIER + " ON semel_record ((state || ''), claimed_at, fence)";

    @TempDir
    Path folder;

    /** Changes the indexes to those of that release. */
    private interface Downgrade {
        void run() throws SQLException;
    }

    private static void fill(String uri) {
        try (Store store = Stores.open(uri)) {
            claim(store, "k");
        }
    }

    private static void claim(Store store, String key) {
        store.blocking()
                .claim(new ClaimRequest(
                        Identity.of("acme", key),
                        "create-payment",
                        new Fingerprint("v1:meant"),
                        Duration.ofSeconds(30),
                        false,
                        "holder"));
    }

    private static void check(String uri, Downgrade downgrade) throws SQLException {
        fill(uri);
        downgrade.run();
        try (Store store = Stores.open(uri + "?schemaMode=validate")) {
            assertThat(store.blocking().find(Identity.of("acme", "k"))).isPresent();
            assertThatThrownBy(() -> store.search(RecordSearch.newest(Filter.ALL, 10)))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("this store has no index for searches");
        }
        for (int start = 0; start < 2; start++) {
            try (Store store = Stores.open(uri)) {
                assertThat(store.search(RecordSearch.newest(Filter.ALL, 10)).records())
                        .extracting(StoredRecord::identity)
                        .containsExactly(Identity.of("acme", "k"));
            }
        }
    }

    private void inSqlite(Path file, String... statements) throws SQLException {
        try (Connection connection = SqliteStore.dataSource(file).getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static void inPostgresql(String uri, String... statements) throws SQLException {
        try (Connection connection = PostgresServer.dataSource(uri).getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    private static List<String> indexes(Connection connection, String query) throws SQLException {
        List<String> names = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    private static List<String> postgresqlIndexes(String uri) throws SQLException {
        try (Connection connection = PostgresServer.dataSource(uri).getConnection()) {
            return indexes(
                    connection,
                    "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                            + " WHERE i.indrelid = 'semel_record'::regclass AND i.indisvalid");
        }
    }

    @Test
    void in_sqlite_works_and_gets_its_index_at_the_next_start() throws SQLException {
        Path file = folder.resolve("semel.db");
        check("sqlite:" + file, () -> inSqlite(file, DROP));
    }

    @Test
    void in_sqlite_loses_the_earlier_index_when_it_gets_the_new_one() throws SQLException {
        Path file = folder.resolve("semel.db");
        check("sqlite:" + file, () -> inSqlite(file, DROP, CREATE_EARLIER));
        try (Connection connection = SqliteStore.dataSource(file).getConnection()) {
            assertThat(indexes(connection, "SELECT name FROM sqlite_master WHERE type = 'index'"))
                    .contains(INDEX)
                    .doesNotContain(EARLIER);
        }
    }

    @Test
    void in_postgresql_works_and_gets_its_index_at_the_next_start() throws SQLException {
        String uri = PostgresServer.shared().newDatabase();
        check(uri, () -> inPostgresql(uri, DROP));
    }

    @Test
    void in_postgresql_loses_the_earlier_index_when_it_gets_the_new_one() throws SQLException {
        String uri = PostgresServer.shared().newDatabase();
        check(uri, () -> inPostgresql(uri, DROP, CREATE_EARLIER));
        assertThat(postgresqlIndexes(uri)).contains(INDEX).doesNotContain(EARLIER);
    }

    @Test
    void in_postgresql_replaces_an_index_whose_build_was_cut_off() throws SQLException {
        String uri = PostgresServer.shared().newDatabase();
        check(
                uri,
                () -> inPostgresql(
                        uri,
                        CREATE_EARLIER,
                        "UPDATE pg_index SET indisvalid = false WHERE indexrelid = '" + INDEX + "'::regclass"));
        assertThat(postgresqlIndexes(uri)).contains(INDEX).doesNotContain(EARLIER);
    }

    @Test
    @DisplayName("in PostgreSQL: requests are served while the index is built behind a transaction that stays open")
    void in_postgresql_requests_are_served_while_it_is_built() throws Exception {
        String uri = PostgresServer.shared().newDatabase();
        fill(uri);
        inPostgresql(uri, DROP, CREATE_EARLIER);
        CompletableFuture<Store> opening;
        try (Store serving = Stores.open(uri + "?schemaMode=validate");
                Connection other = PostgresServer.dataSource(uri).getConnection();
                Statement open = other.createStatement()) {
            other.setAutoCommit(false);
            open.execute("LOCK TABLE semel_record IN ROW EXCLUSIVE MODE");
            opening = CompletableFuture.supplyAsync(() -> Stores.open(uri));
            try (Connection looking = PostgresServer.dataSource(uri).getConnection()) {
                while (indexes(looking, "SELECT relname FROM pg_class WHERE relname = '" + INDEX + "'")
                        .isEmpty()) {
                    Thread.onSpinWait();
                }
            }
            claim(serving, "while-it-is-built");
            try (Store second = Stores.open(uri)) {
                assertThat(second.blocking().find(Identity.of("acme", "while-it-is-built")))
                        .as("a process that starts meanwhile leaves the building to the other")
                        .isPresent();
            }
            assertThat(opening).isNotDone();
            other.rollback();
        }
        try (Store store = opening.get(60, TimeUnit.SECONDS)) {
            assertThat(store.search(RecordSearch.newest(Filter.ALL, 10)).records())
                    .hasSize(2);
        }
        assertThat(postgresqlIndexes(uri)).contains(INDEX).doesNotContain(EARLIER);
    }

    @Test
    void in_mariadb_works_and_gets_its_index_at_the_next_start() throws SQLException {
        String uri = MariadbServer.shared().newDatabase();
        check(uri, () -> MariadbServer.execute(uri, "DROP INDEX " + EARLIER + " ON semel_record"));
    }
}

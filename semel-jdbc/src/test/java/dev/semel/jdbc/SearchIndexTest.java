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
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A store of a release without searches")
class SearchIndexTest {

    private static final String DROP = "DROP INDEX semel_record_claimed";

    @TempDir
    Path folder;

    /** Drops the index, as if the store was created by that release. */
    private interface Downgrade {
        void run() throws SQLException;
    }

    private static void fill(String uri) {
        try (Store store = Stores.open(uri)) {
            store.blocking()
                    .claim(new ClaimRequest(
                            Identity.of("acme", "k"),
                            "create-payment",
                            new Fingerprint("v1:meant"),
                            Duration.ofSeconds(30),
                            false,
                            "holder"));
        }
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

    @Test
    void in_sqlite_works_and_gets_its_index_at_the_next_start() throws SQLException {
        Path file = folder.resolve("semel.db");
        check("sqlite:" + file, () -> {
            try (Connection connection = SqliteStore.dataSource(file).getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(DROP);
            }
        });
    }

    @Test
    void in_postgresql_works_and_gets_its_index_at_the_next_start() throws SQLException {
        String uri = PostgresServer.shared().newDatabase();
        check(uri, () -> {
            try (Connection connection = PostgresServer.dataSource(uri).getConnection();
                    Statement statement = connection.createStatement()) {
                statement.execute(DROP);
            }
        });
    }

    @Test
    void in_mariadb_works_and_gets_its_index_at_the_next_start() throws SQLException {
        String uri = MariadbServer.shared().newDatabase();
        check(uri, () -> MariadbServer.execute(uri, DROP + " ON semel_record"));
    }
}

package dev.semel.http.servlet;

import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.StoreUri;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;

/** Transactions on a PostgreSQL database that holds the store and the application's table. */
class PostgresTransactionTest {

    private static EmbeddedPostgres server;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .start();
    }

    @AfterAll
    static void stop() throws IOException {
        server.close();
    }

    private static Database newDatabase() throws Exception {
        DataSource dataSource = server.getPostgresDatabase();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
        }
        return new SqlDatabase(dataSource, () -> PostgresStore.open((StoreUri.Postgresql) StoreUri.parse(uri())));
    }

    private static String uri() {
        return "postgresql://postgres@localhost:" + server.getPort() + "/postgres?poolSize=2";
    }

    @Nested
    class Undoing extends TransactionContract {
        @Override
        Database open() throws Exception {
            return newDatabase();
        }
    }

    @Nested
    class Committing extends CommitContract {
        @Override
        Database open() throws Exception {
            return newDatabase();
        }
    }
}

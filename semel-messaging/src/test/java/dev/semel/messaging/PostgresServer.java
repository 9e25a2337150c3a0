package dev.semel.messaging;

import dev.semel.jdbc.StoreUri;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A real PostgreSQL server that keeps what it confirms; one for all tests of this JVM, with a database for each test. */
public final class PostgresServer {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private PostgresServer() {}

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setServerConfig("max_connections", "100")
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** The URI of a new, empty database. */
    public static StoreUri.Postgresql newDatabase() throws SQLException {
        String name = "test_" + DATABASES.incrementAndGet();
        execute(uri("postgres"), "CREATE DATABASE " + name);
        return uri(name);
    }

    private static StoreUri.Postgresql uri(String database) {
        return (StoreUri.Postgresql)
                StoreUri.parse("postgresql://postgres@localhost:" + Shared.SERVER.getPort() + "/" + database);
    }

    public static void execute(StoreUri.Postgresql uri, String sql) throws SQLException {
        try (var dataSource = uri.dataSource();
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package dev.semel.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;

/** A real PostgreSQL server that keeps what it confirms; one for all tests of this JVM, with a database for each test. */
final class PostgresServer {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private PostgresServer() {}

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final EmbeddedPostgres SERVER = start(builder());
    }

    /** A server's configuration, safe unlike that of the library; without autovacuum, which would move what tests measure. */
    static EmbeddedPostgres.Builder builder() {
        return EmbeddedPostgres.builder()
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("autovacuum", "off")
                .setServerConfig("max_connections", "100")
                .setPGStartupWait(Duration.ofSeconds(60));
    }

    static EmbeddedPostgres start(EmbeddedPostgres.Builder builder) {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URI of a new, empty database. */
    static String newDatabase() throws SQLException {
        String name = "test_" + DATABASES.incrementAndGet();
        execute(uri("postgres"), "CREATE DATABASE " + name);
        return uri(name);
    }

    private static String uri(String database) {
        return "postgresql://postgres@localhost:" + Shared.SERVER.getPort() + "/" + database;
    }

    /** Waits until one statement in this database waits for a lock. */
    static void awaitBlockedStatement(String uri) throws SQLException {
        String blocked = "SELECT count(*) FROM pg_stat_activity"
                + " WHERE datname = current_database() AND wait_event_type = 'Lock'";
        try (var dataSource = ((StoreUri.Postgresql) StoreUri.parse(uri + "?poolSize=1")).dataSource();
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            Awaitility.await().atMost(Duration.ofMinutes(2)).until(() -> {
                try (ResultSet row = statement.executeQuery(blocked)) {
                    row.next();
                    return row.getInt(1) == 1;
                }
            });
        }
    }

    /** Runs SQL as the superuser, past any store. */
    static void execute(String uri, String sql) throws SQLException {
        try (var dataSource = ((StoreUri.Postgresql) StoreUri.parse(uri + "?poolSize=1")).dataSource();
                Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

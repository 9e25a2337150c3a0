package dev.semel.messaging;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A durable PostgreSQL server; one for all tests of this JVM, with a database for each test. */
public final class PostgresServer {

    /** It only ends a test that has failed. */
    private static final Duration LONGEST_CONNECT = Duration.ofMinutes(2);

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
                        .setPGStartupWait(LONGEST_CONNECT)
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

    /**
     * A pool to a database that waits for a connection for as long as a busy machine takes to open one. Three seconds, the
     * default, are for services that rather refuse a request. Hikari reads the limit when it makes the pool: one that is set on
     * a pool afterwards has no effect.
     */
    public static HikariDataSource pool(StoreUri.Postgresql uri) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + uri.hosts() + "/" + uri.database());
        config.setUsername(uri.credentials().user());
        config.addDataSourceProperty("loginTimeout", String.valueOf(LONGEST_CONNECT.toSeconds()));
        config.setMaximumPoolSize(4);
        config.setConnectionTimeout(LONGEST_CONNECT.toMillis());
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    private static StoreUri.Postgresql uri(String database) {
        return (StoreUri.Postgresql)
                StoreUri.parse("postgresql://postgres@localhost:" + Shared.SERVER.getPort() + "/" + database);
    }

    public static void execute(StoreUri.Postgresql uri, String sql) throws SQLException {
        try (HikariDataSource pool = pool(uri);
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package dev.semel.redis.tiered;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.StoreUri;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A schema of its own on a real, durable PostgreSQL server, with a clock that a test can move: the schema comes before
 * PostgreSQL's own in {@code search_path}, and has its own {@code clock_timestamp()}.
 */
final class PrimaryPostgres implements AutoCloseable {

    private static final String CLOCK = """
            CREATE SCHEMA moved;
            CREATE TABLE moved.passed (microseconds bigint NOT NULL);
            INSERT INTO moved.passed VALUES (0);
            CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
                SELECT pg_catalog.clock_timestamp() + microseconds * interval '1 microsecond' FROM moved.passed
            $$;
            """;

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    /** Started on first use; stopped with the JVM. */
    private static final class Shared {
        static final EmbeddedPostgres SERVER = start();

        private static EmbeddedPostgres start() {
            try {
                return EmbeddedPostgres.builder()
                        .setServerConfig("fsync", "on")
                        .setServerConfig("full_page_writes", "on")
                        .setServerConfig("synchronous_commit", "on")
                        .setPGStartupWait(Duration.ofSeconds(60))
                        .start();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private final String schema = "moved_" + SCHEMAS.incrementAndGet();
    private final HikariDataSource application;

    PrimaryPostgres() {
        query(CLOCK.replace("moved", schema));
        application = uri("application").dataSource();
    }

    private StoreUri.Postgresql uri(String name) {
        return (StoreUri.Postgresql) StoreUri.parse(
                "postgresql://postgres@localhost:" + Shared.SERVER.getPort() + "/postgres?poolSize=6&currentSchema="
                        + schema + ",pg_catalog&ApplicationName=" + schema + "-" + name);
    }

    /** Opens a store with its own connections. */
    PostgresStore open() {
        return PostgresStore.open(uri("store"));
    }

    DataSource connections() {
        return application;
    }

    void elapse(Duration duration) {
        query("UPDATE " + schema + ".passed SET microseconds = microseconds + " + duration.toNanos() / 1000);
    }

    /**
     * Returns when each connection of a store last read or wrote records, as the server reports it: unchanged as long as no
     * statement is sent.
     */
    List<String> lastStatements() {
        return query("SELECT pid || ' ' || query_start FROM pg_stat_activity WHERE application_name = '" + schema
                + "-store' AND query LIKE '%semel_record%' ORDER BY pid");
    }

    private static List<String> query(String sql) {
        List<String> found = new ArrayList<>();
        try (Connection connection = Shared.SERVER.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    while (rows.next()) {
                        found.add(rows.getString(1));
                    }
                }
            }
            return found;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        application.close();
    }
}

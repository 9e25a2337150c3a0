package dev.semel.redis.tiered;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.Stores;
import dev.semel.jdbc.postgresql.PostgresStore;
import dev.semel.testsupport.servers.PostgresServer;
import java.time.Duration;
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

    private final String schema = "moved_" + SCHEMAS.incrementAndGet();
    private final String tombstones;
    private final HikariDataSource application;

    PrimaryPostgres() {
        this(0);
    }

    /** One that keeps tombstones for so many days; zero for none. */
    PrimaryPostgres(long tombstoneDays) {
        this.tombstones = tombstoneDays == 0 ? "" : "&tombstoneDays=" + tombstoneDays;
        query(CLOCK.replace("moved", schema));
        application = uri("application").dataSource();
    }

    private StoreUri.Postgresql uri(String name) {
        return (StoreUri.Postgresql) StoreUri.parse(PostgresServer.shared().uri() + "?poolSize=6&currentSchema="
                + schema + ",pg_catalog&ApplicationName=" + schema + "-" + name + tombstones);
    }

    /** Opens a store with its own connections. */
    PostgresStore open() {
        return (PostgresStore) Stores.open(uri("store"));
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
        return PostgresServer.query(PostgresServer.shared().uri(), sql);
    }

    @Override
    public void close() {
        application.close();
    }
}

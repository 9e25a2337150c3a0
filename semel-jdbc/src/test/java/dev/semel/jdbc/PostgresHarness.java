package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.spi.ReconcilableStore;
import dev.semel.testkit.StoreHarness;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * A store in a database of its own whose clock a test can move.
 *
 * <p>A schema that comes before PostgreSQL's own in {@code search_path} has another {@code clock_timestamp()}.
 */
final class PostgresHarness implements StoreHarness {

    private static final String CLOCK = """
            CREATE SCHEMA moved;
            CREATE TABLE moved.passed (microseconds bigint NOT NULL);
            INSERT INTO moved.passed VALUES (0);
            CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
                SELECT pg_catalog.clock_timestamp() + microseconds * interval '1 microsecond' FROM moved.passed
            $$;
            """;

    private final HikariDataSource pool;
    private final HikariDataSource otherPool;
    private final CountingDataSource counting;
    private final PostgresStore store;
    private final PostgresStore another;

    PostgresHarness() throws SQLException {
        String uri = PostgresServer.newDatabase();
        PostgresServer.execute(uri, CLOCK);
        this.pool = pool(uri);
        this.otherPool = pool(uri);
        this.counting = new CountingDataSource(pool);
        this.store = new PostgresStore(counting.dataSource());
        this.another = new PostgresStore(otherPool);
    }

    private static HikariDataSource pool(String uri) {
        StoreUri.Postgresql parsed =
                (StoreUri.Postgresql) StoreUri.parse(uri + "?poolSize=8&currentSchema=moved,pg_catalog,public");
        return PostgresPool.forStore(parsed);
    }

    @Override
    public ReconcilableStore store() {
        return store;
    }

    @Override
    public ReconcilableStore another() {
        return another;
    }

    @Override
    public void elapse(Duration duration) {
        execute("UPDATE moved.passed SET microseconds = microseconds + " + Micros.of(duration));
    }

    void execute(String sql) {
        try (Connection connection = otherPool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row. */
    String text(String sql) {
        try (Connection connection = otherPool.getConnection();
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public long roundTrips() {
        return counting.executions();
    }

    @Override
    public void close() {
        pool.close();
        otherPool.close();
    }
}

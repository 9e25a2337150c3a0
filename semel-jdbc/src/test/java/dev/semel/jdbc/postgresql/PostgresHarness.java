package dev.semel.jdbc.postgresql;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.config.DatabaseServer;
import dev.semel.jdbc.testing.CountingDataSource;
import dev.semel.jdbc.testing.Uris;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testsupport.servers.PostgresServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A store in a schema of its own whose clock a test can move: the schema precedes PostgreSQL's own in
 * {@code search_path}, and has another {@code clock_timestamp()}.
 *
 * <p>One database for all of them: a database is hundreds of files, and the contract has hundreds of tests.
 */
public final class PostgresHarness implements TransactionalHarness {

    private static final String CLOCK = """
            CREATE SCHEMA moved;
            CREATE TABLE moved.passed (microseconds bigint NOT NULL);
            INSERT INTO moved.passed VALUES (0);
            CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
                SELECT pg_catalog.clock_timestamp() + microseconds * interval '1 microsecond' FROM moved.passed
            $$;
            """;

    /** What holds for every record. The schema leaves it out because it is costly; here every statement has to keep it. */
    private static final String RULES = """
            ALTER TABLE semel_record
                ADD CHECK (state IN ('in_progress', 'completed', 'failed_retryable', 'unknown', 'expired')),
                ADD CHECK ((state = 'in_progress') = (locked_until IS NOT NULL)),
                ADD CHECK ((state IN ('in_progress', 'unknown')) = (expires_at IS NULL)),
                ADD CHECK ((state = 'completed') = (response IS NOT NULL)),
                ADD CHECK ((evidence_source IS NULL) = (evidence_detail IS NULL)),
                ADD CHECK ((state = 'unknown') = (unknown_since IS NOT NULL)),
                ADD CHECK (next_try_at IS NULL OR state = 'unknown'),
                ADD CHECK (audit IS NOT NULL OR (attempts = 1 AND state IN ('in_progress', 'completed') AND reason IS NULL))
            """;

    private static final AtomicInteger SCHEMAS = new AtomicInteger();

    /** Made when it is first needed. */
    private static final class Shared {
        static final String URI = PostgresServer.shared().newDatabase();
    }

    private final HikariDataSource pool;
    private final HikariDataSource otherPool;
    private final HikariDataSource application;
    private final CountingDataSource counting;
    private final PostgresStore store;
    private final PostgresStore another;

    public PostgresHarness() throws SQLException {
        this("");
    }

    /** @param ddl run before the store is opened, in the schema that it will use */
    public PostgresHarness(String ddl) throws SQLException {
        this(ddl, PostgresOptions.DEFAULT);
    }

    public PostgresHarness(String ddl, PostgresOptions options) throws SQLException {
        String schema = "moved_" + SCHEMAS.incrementAndGet();
        PostgresServer.execute(Shared.URI, CLOCK.replace("moved", schema));
        if (!ddl.isEmpty()) {
            PostgresServer.execute(Shared.URI, "SET search_path TO " + schema + ", pg_catalog;" + ddl);
        }
        StoreUri.Postgresql moved = Uris.postgresql(Shared.URI + "?poolSize=8&currentSchema=" + schema + ",pg_catalog");
        this.pool = patientPool(moved.server());
        this.otherPool = patientPool(moved.server());
        this.application = moved.dataSource();
        this.counting = new CountingDataSource(pool);
        this.store = new PostgresStore(counting.dataSource(), options);
        this.another = new PostgresStore(otherPool, options);
        execute(RULES);
    }

    /** As a store makes it, but on a busy machine the first connections take longer than a request may wait for one. */
    private static HikariDataSource patientPool(DatabaseServer server) {
        HikariConfig config = new HikariConfig();
        try (HikariDataSource template = PostgresPool.open(server)) {
            template.copyStateTo(config);
        }
        config.setConnectionTimeout(TimeUnit.MINUTES.toMillis(1));
        return new HikariDataSource(config);
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store another() {
        return another;
    }

    @Override
    public TransactionalStore transactional() {
        return store;
    }

    @Override
    public DataSource connections() {
        return application;
    }

    @Override
    public void elapse(Duration duration) {
        execute("UPDATE passed SET microseconds = microseconds + " + TimeUnit.MICROSECONDS.convert(duration));
    }

    public void execute(String sql) {
        try (Connection connection = otherPool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The first column of the first row. */
    public String text(String sql) {
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
        application.close();
    }
}

package dev.semel.jdbc.sqlite;

import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.jdbc.testing.Connections;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testsupport.stores.CountingStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.sqlite.Function;

/**
 * A store in a file of its own whose clock a test can move: on each connection, {@code unixepoch} is replaced.
 *
 * <p>A SQLite store is in its process, so a round trip is a verb.
 */
public final class SqliteHarness implements TransactionalHarness {

    private final AtomicLong passedMillis = new AtomicLong();
    private final DataSource connections;
    private final SqliteStore one;
    private final SqliteStore another;
    private final CountingStore store;

    public SqliteHarness(Path file) {
        this(file, SqliteOptions.DEFAULT);
    }

    public SqliteHarness(Path file, SqliteOptions options) {
        this.connections = movable(SqliteStore.dataSource(file));
        this.one = new SqliteStore(connections, options);
        this.another = new SqliteStore(connections, options);
        this.store = new CountingStore(one);
    }

    private DataSource movable(DataSource inner) {
        return Connections.eachOf(inner, connection -> Function.create(connection, "unixepoch", new MovedClock()));
    }

    private final class MovedClock extends Function {
        @Override
        protected void xFunc() throws SQLException {
            result((System.currentTimeMillis() + passedMillis.get()) / 1000.0);
        }
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
        return one;
    }

    @Override
    public DataSource connections() {
        return connections;
    }

    @Override
    public void elapse(Duration duration) {
        passedMillis.addAndGet(duration.toMillis());
    }

    @Override
    public long roundTrips() {
        return store.calls();
    }

    @Override
    public void close() {
        store.close();
        another.close();
    }
}

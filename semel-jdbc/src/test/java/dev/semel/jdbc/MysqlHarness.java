package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.TransactionalStore;
import dev.semel.testkit.CountingStore;
import dev.semel.testkit.TransactionalHarness;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A store in MariaDB whose clock a test can move, with transactions of the application at a given isolation level.
 *
 * <p>What the contract takes for a round trip is a transaction here; {@link MysqlStatementsTest} counts its statements.
 */
final class MysqlHarness implements TransactionalHarness {

    private final MovedDataSource clock = new MovedDataSource();
    private final HikariDataSource pool;
    private final HikariDataSource otherPool;
    private final HikariDataSource application;
    private final MysqlStore one;
    private final MysqlStore another;
    private final CountingStore store;

    /** With the given isolation level in the application's transactions, and the server's in sessions of the store's. */
    MysqlHarness(String isolation) throws SQLException {
        String uri = MariadbServer.newDatabase();
        StoreUri.Mysql parsed = MariadbServer.parse(uri + "?poolSize=8");
        this.pool = MysqlPool.forStore(parsed);
        this.otherPool = MysqlPool.forStore(parsed);
        this.application = MariadbServer.parse(
                        uri + "?poolSize=8&sessionVariables=transaction_isolation%3D'" + isolation + "'")
                .dataSource();
        this.one = new MysqlStore(clock.of(pool));
        this.another = new MysqlStore(clock.of(otherPool));
        this.store = new CountingStore(one);
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
    public TransactionalStore transactional() {
        return one;
    }

    @Override
    public DataSource connections() {
        return clock.of(application);
    }

    @Override
    public void elapse(Duration duration) {
        clock.elapse(duration);
    }

    @Override
    public long roundTrips() {
        return store.calls();
    }

    @Override
    public void close() {
        pool.close();
        otherPool.close();
        application.close();
    }
}

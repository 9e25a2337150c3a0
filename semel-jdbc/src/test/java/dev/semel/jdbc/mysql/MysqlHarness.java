package dev.semel.jdbc.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.jdbc.StoreUri;
import dev.semel.jdbc.testing.Connections;
import dev.semel.jdbc.testing.MovedDataSource;
import dev.semel.jdbc.testing.Uris;
import dev.semel.testkit.TransactionalHarness;
import dev.semel.testsupport.servers.MariadbServer;
import dev.semel.testsupport.stores.CountingStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * A store in MariaDB whose clock a test can move, with transactions of the application at a given isolation level.
 *
 * <p>What the contract takes for a round trip is a transaction here; {@link MysqlBatchesTest} counts its statements.
 */
public final class MysqlHarness implements TransactionalHarness {

    /** One database for all of them, emptied for each: creating one takes longer than most tests. Made when first needed. */
    private static final class Shared {
        static final StoreUri.Mysql URI = Uris.mysql(MariadbServer.shared().newDatabase() + "?poolSize=8");
        static final HikariDataSource POOL = MysqlPool.open(URI.server());
        static final HikariDataSource OTHER_POOL = MysqlPool.open(URI.server());
        static final HikariDataSource APPLICATION = URI.dataSource();
    }

    private final MovedDataSource clock = new MovedDataSource();
    private final DataSource application;
    private final MysqlStore one;
    private final MysqlStore another;
    private final CountingStore store;

    /** With transactions of the application at this isolation level, as {@link Connection} numbers them. */
    public MysqlHarness(int isolation) throws SQLException {
        this(isolation, MysqlOptions.DEFAULT);
    }

    public MysqlHarness(int isolation, MysqlOptions options) throws SQLException {
        this.application = clock.of(
                Connections.eachOf(Shared.APPLICATION, connection -> connection.setTransactionIsolation(isolation)));
        this.one = new MysqlStore(clock.of(Shared.POOL), options);
        this.another = new MysqlStore(clock.of(Shared.OTHER_POOL), options);
        this.store = new CountingStore(one);
        try (Connection connection = Shared.APPLICATION.getConnection()) {
            MariadbServer.execute(connection, "DELETE FROM semel_audit");
            MariadbServer.execute(connection, "DELETE FROM semel_record");
            MariadbServer.execute(connection, "DELETE FROM semel_tombstone");
            MariadbServer.execute(connection, "DROP TABLE IF EXISTS application_entry");
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
        return application;
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
        one.close();
        another.close();
    }
}

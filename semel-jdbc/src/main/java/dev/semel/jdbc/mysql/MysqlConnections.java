package dev.semel.jdbc.mysql;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.ReadLimit;
import dev.semel.jdbc.internal.TombstoneTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The connections of a store to MySQL or MariaDB: single reads, and transactions of its own at {@code READ COMMITTED}.
 *
 * <p>A transaction that the server undid because of others is run again. One whose connection broke is not, unless its work
 * does no harm when it is done twice: it may have been committed.
 */
final class MysqlConnections implements AutoCloseable {

    /** Each lost round means that another transaction was committed; so many in a row mean that something else is wrong. */
    private static final int MOST_ROUNDS = 20;

    private final DataSource dataSource;
    private final @Nullable HikariDataSource pool;
    private final long maxPacket;
    private final TombstoneTable tombstones;

    /** Connections of this data source; a pool of the store's own has them set up already, and is closed with it. */
    MysqlConnections(
            DataSource dataSource, @Nullable HikariDataSource pool, long maxPacket, TombstoneTable tombstones) {
        this.dataSource = dataSource;
        this.pool = pool;
        this.maxPacket = maxPacket;
        this.tombstones = tombstones;
    }

    TombstoneTable tombstones() {
        return tombstones;
    }

    /** What is done with the tables on a connection. */
    interface Work<T> {
        T on(MysqlTables tables) throws SQLException;
    }

    /** Reads, outside of any transaction; once more if the connection broke. */
    <T> T read(String verb, Work<T> work) {
        return translated(
                verb,
                () -> repeatable(
                        () -> onConnection(connection -> work.on(new MysqlTables(connection, maxPacket, tombstones)))));
    }

    /** Does this in a transaction, which is committed if something was written. */
    <T> T write(String verb, Work<T> work) {
        return translated(verb, () -> untilDecided(work));
    }

    /** The same for work that does no harm when it is done twice: once more if the connection broke. */
    <T> T writeRepeatable(String verb, Work<T> work) {
        return translated(verb, () -> repeatable(() -> untilDecided(work)));
    }

    private <T> T untilDecided(Work<T> work) throws SQLException {
        for (int round = 1; ; round++) {
            try {
                return onConnection(connection -> inTransaction(connection, work));
            } catch (SQLException e) {
                if (round == MOST_ROUNDS || !MysqlFaults.isNothingDecided(e)) {
                    throw e;
                }
            }
        }
    }

    private <T> T inTransaction(Connection connection, Work<T> work) throws SQLException {
        MysqlTables tables = new MysqlTables(connection, maxPacket, tombstones);
        try (Statement statement = connection.createStatement()) {
            if (pool == null) {
                // For the next transaction only. The server refuses it within a transaction, which would be the
                // application's, and which the next statement would commit.
                statement.execute("SET TRANSACTION ISOLATION LEVEL READ COMMITTED");
            }
            statement.execute("START TRANSACTION");
            try {
                T result = work.on(tables);
                statement.execute(tables.written() ? "COMMIT" : "ROLLBACK");
                return result;
            } catch (Throwable e) {
                undoAfter(e, connection, statement);
                throw e;
            }
        }
    }

    /** A connection that fails to roll back is closed, so that the pool does not hand it out again. */
    private static void undoAfter(Throwable failure, Connection connection, Statement statement) {
        try {
            statement.execute("ROLLBACK");
        } catch (SQLException e) {
            failure.addSuppressed(MysqlFaults.of("undo", e));
            abort(failure, connection);
        }
    }

    private static void abort(Throwable failure, Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            failure.addSuppressed(MysqlFaults.of("end a connection", e));
        }
    }

    /** Something done on a connection. */
    private interface Use<T> {
        T on(Connection connection) throws SQLException;
    }

    private <T> T onConnection(Use<T> use) throws SQLException {
        try (Connection connection = connection()) {
            if (!connection.getAutoCommit()) {
                throw new StoreException(
                        "the connection is not in autocommit mode, so that it may be in a transaction of"
                                + " the application: give the store a data source that hands out connections in autocommit mode");
            }
            return pool != null ? use.on(connection) : ReadLimit.on(connection, () -> use.on(connection));
        }
    }

    private Connection connection() {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw MysqlFaults.noConnection(dataSource, e);
        }
    }

    /** Something that may fail as SQL does. */
    private interface Action<T> {
        T run() throws SQLException;
    }

    private <T> T repeatable(Action<T> action) throws SQLException {
        try {
            return action.run();
        } catch (SQLException e) {
            if (!MysqlFaults.isConnectionLost(e)) {
                throw e;
            }
            dropIdleConnections();
            return action.run();
        }
    }

    /** A server that ended one connection has most likely ended them all, and the pool would hand out the next dead one. */
    private void dropIdleConnections() {
        if (pool != null) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    private static <T> T translated(String verb, Action<T> action) {
        try {
            return action.run();
        } catch (SQLException e) {
            throw MysqlFaults.of(verb, e);
        }
    }

    @Override
    public void close() {
        if (pool != null) {
            pool.close();
        }
    }
}

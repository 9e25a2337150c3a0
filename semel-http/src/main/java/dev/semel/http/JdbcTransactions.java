package dev.semel.http;

import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Transactions on connections of a data source, with nothing but JDBC.
 *
 * <p>Switching autocommit on commits what is open. It is therefore switched back only when the transaction has ended for
 * certain; a connection on which that is not certain is not used again.
 */
final class JdbcTransactions implements TransactionRunner {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final DataSource dataSource;

    JdbcTransactions(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public void run(Work work) throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            boolean autoCommit = connection.getAutoCommit();
            connection.setAutoCommit(false);
            try {
                work.on(connection);
                connection.commit();
            } catch (Throwable failure) {
                if (rolledBack(connection, failure)) {
                    restore(connection, autoCommit);
                }
                throw failure;
            }
            restore(connection, autoCommit);
        } finally {
            close(connection);
        }
    }

    private static boolean rolledBack(Connection connection, Throwable failure) {
        try {
            connection.rollback();
            return true;
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
            abort(connection, failure);
            return false;
        }
    }

    private static void abort(Connection connection, Throwable failure) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException | RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** A failure here is after the end of the transaction, and changes nothing about how it ended. */
    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.WARNING, "the settings of a connection could not be restored after a transaction", e);
        }
    }

    private static void close(Connection connection) {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            LOG.log(Level.WARNING, "a connection could not be closed", e);
        }
    }
}

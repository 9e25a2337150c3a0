package dev.semel.examples.orderflow;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Runs work in a transaction of its own, apart from those of requests and messages. */
final class Transactions {

    private Transactions() {}

    interface Work<T> {
        T on(Connection connection) throws SQLException;
    }

    static <T> T run(DataSource database, Work<T> work) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                T result = work.on(connection);
                connection.commit();
                return result;
            } catch (SQLException | RuntimeException e) {
                connection.rollback();
                throw e;
            } finally {
                connection.setAutoCommit(true);
            }
        }
    }
}

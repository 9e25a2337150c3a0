package dev.semel.jdbc.internal;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/**
 * The longest wait for a database's answer to one statement of a store. A server that is frozen closes no connection, and most
 * drivers would wait for ever on the caller's thread.
 */
public final class ReadLimit {

    /** Longer than the 10 s after which PostgreSQL gives up on a store's statement, so that the server says so first. */
    public static final Duration LONGEST = Duration.ofSeconds(15);

    private ReadLimit() {}

    /** Statements on a connection. */
    public interface Work<T> {
        T run() throws SQLException;
    }

    /** Runs statements on a connection of the application's, with this limit if its driver has none. */
    public static <T> T on(Connection connection, Work<T> work) throws SQLException {
        if (!limited(connection)) {
            return work.run();
        }
        try {
            return work.run();
        } finally {
            lift(connection);
        }
    }

    private static boolean limited(Connection connection) {
        try {
            if (connection.getNetworkTimeout() != 0) {
                return false;
            }
            // The executor is for drivers that wait on another thread; those of PostgreSQL and MariaDB do not.
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(LONGEST.toMillis()));
            return true;
        } catch (SQLException | RuntimeException | AbstractMethodError unsupported) {
            // By the driver, or by a wrapper around it: the application's own limits remain.
            return false;
        }
    }

    private static void lift(Connection connection) {
        try {
            connection.setNetworkTimeout(Runnable::run, 0);
        } catch (SQLException | RuntimeException broken) {
            // The pool closes a broken connection, and no other caller gets it.
        }
    }
}

package dev.semel.jdbc.postgresql;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.jdbc.internal.ReadLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Executes statements on connections of a data source, each in a transaction of its own. */
final class PostgresStatements {

    /** Each lost round means that another transaction was committed; so many in a row on one key mean that something else is wrong. */
    static final int MOST_ROUNDS = 100;

    /** For connections that are not the store's own. */
    private static final List<String> SETTINGS = List.of(PostgresPlanning.TRANSACTION);

    private final DataSource dataSource;
    private final @Nullable HikariDataSource pool;

    /** Connections of this data source; a pool of the store's own is closed with it. */
    PostgresStatements(DataSource dataSource, @Nullable HikariDataSource pool) {
        this.dataSource = dataSource;
        this.pool = pool;
    }

    /** Repeats the statement while other transactions cause its rollback, as they do at stricter isolation levels. */
    <T> List<T> run(PostgresQuery<T> query) {
        return decided(query, this::once);
    }

    /** The same for a statement that does no harm when it is executed twice: also when the connection broke. */
    <T> List<T> runRepeatable(PostgresQuery<T> query) {
        return decided(query, this::repeatable);
    }

    /**
     * One round of statements; empty when they were undone because of others.
     *
     * @throws LostException when the connection was lost, so that they may or may not have been executed
     */
    <T> Optional<List<T>> tryOnce(PostgresQuery<T> query) {
        try {
            return Optional.of(once(query));
        } catch (SQLException e) {
            if (PostgresFaults.isNothingDecided(e)) {
                return Optional.empty();
            }
            throw PostgresFaults.of(query.verb(), e);
        }
    }

    /** One round of a statement that does no harm when it is executed twice; empty when it was undone because of others. */
    <T> List<T> tryRepeatable(PostgresQuery<T> query) {
        try {
            return repeatable(query);
        } catch (SQLException e) {
            if (PostgresFaults.isNothingDecided(e)) {
                return List.of();
            }
            throw PostgresFaults.of(query.verb(), e);
        }
    }

    /** One execution of a statement. */
    private interface Round {
        <T> List<T> run(PostgresQuery<T> query) throws SQLException;
    }

    private static <T> List<T> decided(PostgresQuery<T> query, Round round) {
        for (int number = 1; ; number++) {
            try {
                return round.run(query);
            } catch (SQLException e) {
                if (number == MOST_ROUNDS || !PostgresFaults.isNothingDecided(e)) {
                    throw PostgresFaults.of(query.verb(), e);
                }
            }
        }
    }

    private <T> List<T> repeatable(PostgresQuery<T> query) throws SQLException {
        try {
            return once(query);
        } catch (SQLException e) {
            if (!PostgresFaults.isConnectionLost(e)) {
                throw e;
            }
            dropIdleConnections();
            return once(query);
        }
    }

    /** A server that ended one connection has most likely ended them all, and the pool would hand out the next dead one. */
    void dropIdleConnections() {
        if (pool != null) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /** The one place where statements are executed. */
    private <T> List<T> once(PostgresQuery<T> query) throws SQLException {
        try (Connection connection = connection()) {
            return pool != null
                    ? query.on(connection)
                    : ReadLimit.on(connection, () -> onApplications(connection, query));
        }
    }

    private static <T> List<T> onApplications(Connection connection, PostgresQuery<T> query) throws SQLException {
        if (connection.getAutoCommit()) {
            return query.within(connection, SETTINGS, List.of());
        }
        // The server refuses this within a transaction, which would be the application's, and which autocommit would
        // commit.
        connection.setReadOnly(connection.isReadOnly());
        connection.setAutoCommit(true);
        try {
            return query.within(connection, SETTINGS, List.of());
        } finally {
            connection.setAutoCommit(false);
        }
    }

    private Connection connection() {
        try {
            return dataSource.getConnection();
        } catch (SQLException e) {
            throw PostgresFaults.noConnection(dataSource, e);
        }
    }

    void close() {
        if (pool != null) {
            pool.close();
        }
    }
}

package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Response;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The usual pattern: {@code BEGIN ISOLATION LEVEL SERIALIZABLE; SELECT … FOR UPDATE; INSERT; COMMIT}, later
 * {@code UPDATE}; what the database undoes because of others is repeated. It has no lease, no fence and no audit.
 */
final class SerializableTable implements HandWritten {

    /** Serialization failure, and deadlock. */
    private static final String SERIALIZATION_FAILURE = "40001";

    private static final String DEADLOCK = "40P01";

    private static final int MOST_TRIES = 1_000;

    /** Twice as long from try to try, up to a tenth of a second: in MySQL, many new keys at once block each other's gap. */
    private static final long SHORTEST_PAUSE_NANOS = 100_000;

    private static final int MOST_DOUBLINGS = 10;

    private final HandStatements statements;
    private final HikariDataSource pool;

    /** @param pool its connections are set to {@code SERIALIZABLE}, which saves a round trip for each transaction */
    SerializableTable(HandSql sql, HikariDataSource pool) {
        this.statements = new HandStatements(sql);
        this.pool = pool;
    }

    private interface Step<T> {
        T on(Connection connection) throws SQLException;
    }

    @Override
    public boolean claim(String key) throws SQLException {
        return repeated(connection -> inTransaction(connection, () -> {
            HandSql sql = statements.sql();
            return statements.read(connection, sql.lock(), key).isEmpty()
                    && statements.insert(connection, sql.insert(), key);
        }));
    }

    @Override
    public void complete(String key, byte[] response) throws SQLException {
        repeated(connection -> {
            statements.update(connection, key, response);
            return true;
        });
    }

    @Override
    public Optional<Response> replay(String key) throws SQLException {
        Optional<HandStatements.Row> row = repeated(connection -> inTransaction(
                connection, () -> statements.read(connection, statements.sql().lock(), key)));
        return row.map(HandStatements.Row::response);
    }

    private interface Body<T> {
        T run() throws SQLException;
    }

    private static <T> T inTransaction(Connection connection, Body<T> body) throws SQLException {
        connection.setAutoCommit(false);
        try {
            T answer = body.run();
            connection.commit();
            return answer;
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        } finally {
            connection.setAutoCommit(true);
        }
    }

    private <T> T repeated(Step<T> step) throws SQLException {
        for (int number = 1; ; number++) {
            try (Connection connection = pool.getConnection()) {
                return step.on(connection);
            } catch (SQLException e) {
                boolean undone = SERIALIZATION_FAILURE.equals(e.getSQLState()) || DEADLOCK.equals(e.getSQLState());
                if (!undone || number == MOST_TRIES) {
                    throw e;
                }
            }
            pause(number);
        }
    }

    /** Any time up to the longest, so that those who were in each other's way do not meet again. */
    private static void pause(int number) {
        long longest = SHORTEST_PAUSE_NANOS << Math.min(number - 1, MOST_DOUBLINGS);
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest));
    }

    @Override
    public void close() {
        pool.close();
    }
}

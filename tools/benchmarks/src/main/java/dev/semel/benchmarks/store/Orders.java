package dev.semel.benchmarks.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Operation.ClaimTime;
import dev.semel.benchmarks.load.Call;
import dev.semel.engine.SemelEngine;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A domain's own table, with one insert for each request. */
final class Orders implements AutoCloseable {

    static final String CREATE =
            "CREATE TABLE bench_order (id varchar(255) PRIMARY KEY, customer varchar(255) NOT NULL,"
                    + " amount_cents bigint NOT NULL, currency varchar(3) NOT NULL)";

    private static final String INSERT =
            "INSERT INTO bench_order (id, customer, amount_cents, currency) VALUES (?, 'alice', 10000, 'EUR')";

    private final HikariDataSource pool;
    private final byte[] response = Payload.response();

    Orders(HikariDataSource pool) {
        this.pool = pool;
    }

    /** The insert in a transaction of its own. */
    Call alone(Keys keys) {
        return () -> {
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                insert(connection, keys.next());
                connection.commit();
                connection.setAutoCommit(true);
            }
        };
    }

    /** The same with a row of a hand-written table: three statements, without a lease, a fence, an audit or a fingerprint's check. */
    Call handWritten(HandStatements statements, Keys keys) {
        return () -> {
            String key = keys.next();
            try (Connection connection = pool.getConnection()) {
                connection.setAutoCommit(false);
                if (!statements.insert(connection, statements.sql().insertOnce(), key)) {
                    throw new IllegalStateException("the key " + key + " is not new");
                }
                insert(connection, key);
                statements.update(connection, key, response);
                connection.commit();
                connection.setAutoCommit(true);
            }
        };
    }

    /** Claim, insert and completion in one transaction; {@code claim} says when it is claimed. */
    Call guarded(SemelEngine semel, ClaimTime claim, Keys keys) {
        return () -> {
            String key = keys.next();
            Execution<byte[]> execution = semel.executeInTransaction(
                    pool, SemelCalls.waitingIntent(key, claim), Codec.bytes(), (connection, attempt) -> {
                        insert(connection, key);
                        return response;
                    });
            if (!(execution instanceof Execution.Ran)) {
                throw new IllegalStateException("a new order was not made: " + execution);
            }
        };
    }

    private static void insert(Connection connection, String id) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, id);
            insert.executeUpdate();
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}

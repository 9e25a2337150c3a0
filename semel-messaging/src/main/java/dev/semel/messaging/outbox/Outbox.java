package dev.semel.messaging.outbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The table of messages to publish after a commit, in the application's own PostgreSQL.
 *
 * <ol>
 *   <li>A message is written in the transaction of the change that it announces: both commit, or neither.
 *   <li>An {@link OutboxRelay} publishes it after the commit, and again when the broker did not confirm it.
 *   <li>Every publication has the same key, by which the consumers' {@link dev.semel.messaging.Inbox} recognizes duplicates.
 * </ol>
 */
public final class Outbox {

    private Outbox() {}

    /** The table's DDL; safe to run again. */
    public static String ddl() {
        try (InputStream in = Outbox.class.getResourceAsStream("postgresql.sql")) {
            if (in == null) {
                throw new IllegalStateException("the resource postgresql.sql is missing from the semel-messaging jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the table unless it exists. */
    public static void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(ddl());
        }
    }

    /**
     * Writes a message in the connection's current transaction. Writing it again changes nothing until it is published.
     *
     * @throws IllegalArgumentException when the connection is in autocommit mode: the message would be published even if the
     *     change that it announces is rolled back; or when another message has its idempotency key: one of them would be lost
     */
    public static void add(Connection connection, OutboxMessage message) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "the connection is in autocommit mode, but an outbox message must commit together with the change that"
                            + " it announces: call setAutoCommit(false)");
        }
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO semel_outbox (destination, message_key, idempotency_key, payload)
                VALUES (?, ?, ?, ?)
                ON CONFLICT (idempotency_key) DO NOTHING
                """)) {
            insert.setString(1, message.destination());
            insert.setString(2, message.key());
            insert.setString(3, message.idempotencyKey());
            insert.setBytes(4, message.payload());
            if (insert.executeUpdate() == 0) {
                checkSame(connection, message);
            }
        }
    }

    private static void checkSame(Connection connection, OutboxMessage message) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT destination, message_key, payload FROM semel_outbox WHERE idempotency_key = ?
                """)) {
            select.setString(1, message.idempotencyKey());
            try (ResultSet row = select.executeQuery()) {
                if (row.next()
                        && !message.equals(new OutboxMessage(
                                row.getString(1), row.getString(2), message.idempotencyKey(), row.getBytes(3)))) {
                    throw new IllegalArgumentException("the outbox holds another message to " + row.getString(1)
                            + " with the idempotency key of this one to " + message.destination()
                            + ": derive one key for each message");
                }
            }
        }
    }
}

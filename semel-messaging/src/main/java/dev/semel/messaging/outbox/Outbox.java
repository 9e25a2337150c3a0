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
 * Where messages wait that must follow a commit, in the application's own PostgreSQL.
 *
 * <ol>
 *   <li>A message is written in the transaction of what it tells of: there is no one without the other.
 *   <li>An {@link OutboxRelay} publishes it after the commit, and again if it does not hear that it was published.
 *   <li>Each time it carries the same key, by which its consumers' {@link dev.semel.messaging.Inbox} knows it.
 * </ol>
 */
public final class Outbox {

    private Outbox() {}

    /** The table that messages wait in, as SQL; safe to run again. */
    public static String ddl() {
        try (InputStream in = Outbox.class.getResourceAsStream("postgresql.sql")) {
            if (in == null) {
                throw new IllegalStateException("this jar lacks postgresql.sql");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Creates the table unless it is there. */
    public static void createTable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(ddl());
        }
    }

    /**
     * Writes a message, as part of the transaction that this connection is in. Writing it again changes nothing, as long as
     * it waits.
     *
     * @throws IllegalArgumentException when the connection is in autocommit mode: the message would be there even if what
     *     it tells of were not; or when another message waits under its idempotency key: one of them would be lost
     */
    public static void add(Connection connection, OutboxMessage message) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException("a message is written in a transaction: switch autocommit off");
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
                    throw new IllegalArgumentException("another message to " + row.getString(1)
                            + " waits under the idempotency key of this one to " + message.destination()
                            + ": derive one for each message");
                }
            }
        }
    }
}

package dev.semel.examples.federation;

import dev.semel.messaging.federation.FederationMessage;
import dev.semel.messaging.federation.Payload;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The accounts of a bank, in SQLite: one row for each credit, under the sender and the id of the message that asked for it.
 *
 * <p>So a message that is executed again, because the process was killed before its result was recorded, changes nothing.
 */
final class Bank implements AutoCloseable {

    private static final Set<String> CUSTOMERS = Set.of("alice", "bob");

    private final Connection connection;

    Bank(Path file) throws SQLException {
        connection = DriverManager.getConnection("jdbc:sqlite:" + file + "?synchronous=FULL&busy_timeout=10000");
        try (Statement statement = connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE IF NOT EXISTS credit (
                        sender       TEXT    NOT NULL,
                        message_id   TEXT    NOT NULL,
                        account      TEXT    NOT NULL,
                        amount_cents INTEGER NOT NULL CHECK (amount_cents > 0),
                        PRIMARY KEY (sender, message_id)
                    ) STRICT""");
        }
    }

    /**
     * The action {@code credit}, with the payload <code>{"account":…,"amountCents":…}</code>.
     *
     * @throws IllegalArgumentException when the payload is wrong, there is no such account, or another message had this id
     *     and its record has expired: the reply is a failure, the same each time
     */
    synchronized Payload credit(FederationMessage message) throws SQLException {
        JsonNode payload = Wire.JSON.readTree(message.payload().bytes());
        String account = payload.path("account").asString("");
        JsonNode amount = payload.path("amountCents");
        if (!CUSTOMERS.contains(account)) {
            throw new IllegalArgumentException("there is no such account");
        }
        if (!amount.isIntegralNumber() || !amount.canConvertToLong() || amount.longValue() < 1) {
            throw new IllegalArgumentException("amountCents must be a positive integer");
        }
        try (PreparedStatement insert = connection.prepareStatement("""
                INSERT INTO credit (sender, message_id, account, amount_cents) VALUES (?, ?, ?, ?)
                ON CONFLICT (sender, message_id) DO NOTHING""")) {
            insert.setString(1, message.from());
            insert.setString(2, message.id());
            insert.setString(3, account);
            insert.setLong(4, amount.longValue());
            if (insert.executeUpdate() == 0 && !isCredited(message, account, amount.longValue())) {
                throw new IllegalArgumentException("another message had this id before");
            }
        }
        return Payload.of(Wire.JSON.writeValueAsBytes(
                Wire.JSON.createObjectNode().put("account", account).put("creditedCents", amount.longValue())));
    }

    private boolean isCredited(FederationMessage message, String account, long amountCents) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("""
                SELECT 1 FROM credit WHERE sender = ? AND message_id = ? AND account = ? AND amount_cents = ?""")) {
            select.setString(1, message.from());
            select.setString(2, message.id());
            select.setString(3, account);
            select.setLong(4, amountCents);
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        }
    }

    synchronized long balanceOf(String account) throws SQLException {
        try (PreparedStatement sum =
                connection.prepareStatement("SELECT coalesce(sum(amount_cents), 0) FROM credit WHERE account = ?")) {
            sum.setString(1, account);
            try (ResultSet row = sum.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public synchronized void close() throws SQLException {
        connection.close();
    }
}

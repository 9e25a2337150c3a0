package dev.semel.examples.orderflow;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Orders, and the log of their status changes: idempotent domain tables.
 *
 * <ol>
 *   <li>A unique column holds the key of the request. A second insert with it waits for the first one to commit, changes
 *       nothing, and reads the existing row.
 *   <li>A status changes under the lock of its row, along the transitions of {@link OrderStatus}, together with its entry in
 *       the log. A change that is in the log is not made again, whatever the order's status is now.
 * </ol>
 *
 * <p>Every method works in the connection's current transaction, at PostgreSQL's default isolation, READ COMMITTED.
 */
final class Orders {

    private static final String TABLES = """
            CREATE TABLE IF NOT EXISTS customer_order (
                order_id        text PRIMARY KEY,
                idempotency_key text NOT NULL UNIQUE,
                customer        text NOT NULL,
                item            text NOT NULL,
                status          text NOT NULL
            );
            CREATE TABLE IF NOT EXISTS order_status_change (
                order_id    text        NOT NULL REFERENCES customer_order (order_id),
                from_status text,
                to_status   text        NOT NULL,
                changed_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
                PRIMARY KEY (order_id, to_status)
            )""";

    void createTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(TABLES);
        }
    }

    /**
     * Places an order unless a request with this key placed one before.
     *
     * @param key the same for every repetition of one request, and different for every other request
     */
    Placement place(Connection connection, String key, String customer, String item) throws SQLException {
        requireTransaction(connection);
        boolean isNew;
        try (PreparedStatement insert = connection.prepareStatement("""
                WITH placed AS (
                    INSERT INTO customer_order (order_id, idempotency_key, customer, item, status)
                    VALUES (?, ?, ?, ?, 'placed')
                    ON CONFLICT (idempotency_key) DO NOTHING
                    RETURNING order_id)
                INSERT INTO order_status_change (order_id, to_status)
                SELECT order_id, 'placed' FROM placed""")) {
            insert.setString(1, "ord_" + UUID.randomUUID());
            insert.setString(2, key);
            insert.setString(3, customer);
            insert.setString(4, item);
            isNew = insert.executeUpdate() == 1;
        }
        Order order = findByKey(connection, key).orElseThrow();
        return order.isFor(customer, item) ? new Placement.Placed(order, isNew) : new Placement.KeyTaken();
    }

    /** Changes an order to this status unless it has had it before. */
    Move move(Connection connection, String orderId, OrderStatus to) throws SQLException {
        requireTransaction(connection);
        Optional<Order> held = query(connection, "order_id = ? FOR UPDATE", orderId);
        if (held.isEmpty()) {
            return new Move.NoSuchOrder();
        }
        Order order = held.get();
        if (history(connection, orderId).contains(to.label())) {
            return new Move.Made(order, false);
        }
        if (!OrderStatus.ofLabel(order.status()).orElseThrow().leadsTo(to)) {
            return new Move.Impossible(order);
        }
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE customer_order SET status = ? WHERE order_id = ?")) {
            update.setString(1, to.label());
            update.setString(2, orderId);
            update.executeUpdate();
        }
        try (PreparedStatement log = connection.prepareStatement("""
                INSERT INTO order_status_change (order_id, from_status, to_status) VALUES (?, ?, ?)""")) {
            log.setString(1, orderId);
            log.setString(2, order.status());
            log.setString(3, to.label());
            log.executeUpdate();
        }
        return new Move.Made(new Order(orderId, order.customer(), order.item(), to.label()), true);
    }

    Optional<Order> find(Connection connection, String orderId) throws SQLException {
        return query(connection, "order_id = ?", orderId);
    }

    Optional<Order> findByKey(Connection connection, String key) throws SQLException {
        return query(connection, "idempotency_key = ?", key);
    }

    /** Every status that the order has had, the oldest first. */
    List<String> history(Connection connection, String orderId) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT to_status FROM order_status_change WHERE order_id = ? ORDER BY changed_at")) {
            select.setString(1, orderId);
            try (ResultSet rows = select.executeQuery()) {
                List<String> history = new ArrayList<>();
                while (rows.next()) {
                    history.add(rows.getString(1));
                }
                return history;
            }
        }
    }

    private static Optional<Order> query(Connection connection, String where, String value) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(
                "SELECT order_id, customer, item, status FROM customer_order WHERE " + where)) {
            select.setString(1, value);
            try (ResultSet row = select.executeQuery()) {
                return row.next()
                        ? Optional.of(new Order(row.getString(1), row.getString(2), row.getString(3), row.getString(4)))
                        : Optional.empty();
            }
        }
    }

    /** Without a transaction, a row's lock would end with the statement that takes it. */
    private static void requireTransaction(Connection connection) throws SQLException {
        if (connection.getAutoCommit()) {
            throw new IllegalArgumentException(
                    "the connection is in autocommit mode, but orders are changed in a transaction: call"
                            + " setAutoCommit(false)");
        }
    }
}

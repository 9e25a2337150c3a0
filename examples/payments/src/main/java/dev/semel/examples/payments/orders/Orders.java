package dev.semel.examples.payments.orders;

import dev.semel.examples.payments.Tables;
import dev.semel.examples.payments.orders.Order.Item;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Orders, their items, the inventory and the log of status changes, in tables beside the records.
 *
 * <p>Its methods write in the caller's transaction. Two of its tables have the request's key, so that an order and a status
 * change are found again even after their record has expired.
 */
public final class Orders {

    private static final List<String> TABLES = List.of("""
            CREATE TABLE IF NOT EXISTS product (
                product_id text    PRIMARY KEY,
                stock      integer NOT NULL CHECK (stock >= 0)
            )""", """
            CREATE TABLE IF NOT EXISTS customer_order (
                order_id    text PRIMARY KEY,
                account     text NOT NULL,
                status      text NOT NULL,
                request_key text NOT NULL UNIQUE
            )""", """
            CREATE TABLE IF NOT EXISTS order_item (
                order_id   text    NOT NULL REFERENCES customer_order (order_id),
                product_id text    NOT NULL REFERENCES product (product_id),
                quantity   integer NOT NULL,
                PRIMARY KEY (order_id, product_id)
            )""", """
            CREATE TABLE IF NOT EXISTS order_status_change (
                request_key text PRIMARY KEY,
                order_id    text NOT NULL REFERENCES customer_order (order_id),
                from_status text NOT NULL,
                to_status   text NOT NULL
            )""", """
            INSERT INTO product (product_id, stock)
            VALUES ('p-1', 1000000), ('p-2', 1000000), ('p-3', 1000000), ('p-4', 1000000), ('p-5', 1000000), ('p-scarce', 3)
            ON CONFLICT (product_id) DO NOTHING""");

    private final JdbcClient jdbc;
    private final TransactionTemplate partOfTransaction;

    public Orders(JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.jdbc = jdbc;
        this.partOfTransaction = new TransactionTemplate(transactions);
        partOfTransaction.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
        Tables.create(jdbc, TABLES);
    }

    /**
     * Places an order and reserves its items.
     *
     * @param requestKey the same for every repetition of one request, and for no other
     */
    Placement place(String account, String requestKey, List<Item> items) {
        Optional<Order> before = jdbc.sql("SELECT order_id FROM customer_order WHERE request_key = :requestKey")
                .param("requestKey", requestKey)
                .query(String.class)
                .optional()
                .flatMap(orderId -> find(account, orderId));
        if (before.isPresent()) {
            return before.get().items().equals(items)
                    ? new Placement.Placed(before.get())
                    : new Placement.UsedBefore(before.get());
        }
        return Optional.ofNullable(partOfTransaction.execute(part -> {
                    for (Item item : items) {
                        if (!reserve(item)) {
                            // Rolls back to the savepoint before the first reservation; the outer transaction goes on.
                            part.setRollbackOnly();
                            return new Placement.Shortage(item.productId());
                        }
                    }
                    return new Placement.Placed(enter(account, requestKey, items));
                }))
                .orElseThrow();
    }

    private boolean reserve(Item item) {
        return jdbc.sql("""
                        UPDATE product SET stock = stock - :quantity
                        WHERE product_id = :productId AND stock >= :quantity""")
                        .param("quantity", item.quantity())
                        .param("productId", item.productId())
                        .update()
                == 1;
    }

    private Order enter(String account, String requestKey, List<Item> items) {
        Order order = new Order("ord_" + UUID.randomUUID(), OrderStatus.PLACED.label(), items);
        jdbc.sql("""
                INSERT INTO customer_order (order_id, account, status, request_key)
                VALUES (:orderId, :account, :status, :requestKey)""")
                .param("orderId", order.orderId())
                .param("account", account)
                .param("status", order.status())
                .param("requestKey", requestKey)
                .update();
        for (Item item : items) {
            jdbc.sql("""
                    INSERT INTO order_item (order_id, product_id, quantity)
                    VALUES (:orderId, :productId, :quantity)""")
                    .param("orderId", order.orderId())
                    .param("productId", item.productId())
                    .param("quantity", item.quantity())
                    .update();
        }
        return order;
    }

    Optional<Order> find(String account, String orderId) {
        List<Item> items =
                jdbc.sql("""
                SELECT product_id, quantity FROM order_item WHERE order_id = :orderId ORDER BY product_id""").param("orderId", orderId).query(Item.class).list();
        return jdbc.sql("SELECT status FROM customer_order WHERE order_id = :orderId AND account = :account")
                .param("orderId", orderId)
                .param("account", account)
                .query(String.class)
                .optional()
                .map(status -> new Order(orderId, status, items));
    }

    /**
     * Finds an order and locks it until the transaction ends, so that a decision about it is still right when it commits.
     */
    Optional<Order> findAndHold(String account, String orderId) {
        int held = jdbc.sql(
                        "UPDATE customer_order SET status = status WHERE order_id = :orderId AND account = :account")
                .param("orderId", orderId)
                .param("account", account)
                .update();
        return held == 0 ? Optional.empty() : find(account, orderId);
    }

    /**
     * Moves a locked order forward, and logs the change; a change that is in the log already is not made again.
     *
     * @return the order after the change, or empty when its status does not allow it
     */
    Optional<Order> move(String account, Order order, String requestKey, OrderStatus to) {
        if (isLogged(requestKey)) {
            return find(account, order.orderId());
        }
        OrderStatus from = OrderStatus.ofLabel(order.status()).orElseThrow();
        if (to.compareTo(from) <= 0) {
            return Optional.empty();
        }
        jdbc.sql("UPDATE customer_order SET status = :to WHERE order_id = :orderId")
                .param("to", to.label())
                .param("orderId", order.orderId())
                .update();
        jdbc.sql("""
                INSERT INTO order_status_change (request_key, order_id, from_status, to_status)
                VALUES (:requestKey, :orderId, :from, :to)""")
                .param("requestKey", requestKey)
                .param("orderId", order.orderId())
                .param("from", from.label())
                .param("to", to.label())
                .update();
        return find(account, order.orderId());
    }

    private boolean isLogged(String requestKey) {
        return jdbc.sql("SELECT count(*) FROM order_status_change WHERE request_key = :requestKey")
                        .param("requestKey", requestKey)
                        .query(Long.class)
                        .single()
                > 0;
    }
}

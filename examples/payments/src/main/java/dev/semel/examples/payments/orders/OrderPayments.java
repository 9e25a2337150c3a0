package dev.semel.examples.payments.orders;

import dev.semel.examples.payments.Tables;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Which charge pays which order. An order is paid when its charge has succeeded, however often and from wherever that is heard.
 *
 * <ol>
 *   <li>The order is noted under the key of the charge before the provider is called: its webhooks name the charge alone.
 *   <li>The key of the charge is the key of the status change. A change that is in the log is not made again.
 * </ol>
 */
public final class OrderPayments {

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS order_payment (
                charge_key text PRIMARY KEY,
                account    text NOT NULL,
                order_id   text NOT NULL REFERENCES customer_order (order_id)
            )""";

    private final Orders orders;
    private final JdbcClient jdbc;
    private final TransactionTemplate transaction;

    private record Paid(String account, String orderId) {}

    public OrderPayments(Orders orders, JdbcClient jdbc, PlatformTransactionManager transactions) {
        this.orders = orders;
        this.jdbc = jdbc;
        this.transaction = new TransactionTemplate(transactions);
        Tables.create(jdbc, List.of(TABLE));
    }

    /**
     * Notes which order a charge will pay.
     *
     * @return whether the account has such an order and it is not paid
     */
    public boolean expect(String account, String orderId, String chargeKey) {
        boolean payable = orders.find(account, orderId)
                .filter(order -> order.status().equals(OrderStatus.PLACED.label()))
                .isPresent();
        if (payable) {
            jdbc.sql("""
                    INSERT INTO order_payment (charge_key, account, order_id) VALUES (:chargeKey, :account, :orderId)
                    ON CONFLICT (charge_key) DO NOTHING""")
                    .param("chargeKey", chargeKey)
                    .param("account", account)
                    .param("orderId", orderId)
                    .update();
        }
        return payable;
    }

    /** Marks the order of a charge as paid, unless it is; a charge that pays no order changes nothing. */
    public void charged(String chargeKey) {
        // Before the transaction, which must begin with a write: in SQLite, one that has read may not be allowed to
        // write.
        jdbc.sql("SELECT account, order_id FROM order_payment WHERE charge_key = :chargeKey")
                .param("chargeKey", chargeKey)
                .query(Paid.class)
                .optional()
                .ifPresent(paid ->
                        transaction.executeWithoutResult(status -> orders.findAndHold(paid.account(), paid.orderId())
                                .ifPresent(order -> orders.move(paid.account(), order, chargeKey, OrderStatus.PAID))));
    }
}

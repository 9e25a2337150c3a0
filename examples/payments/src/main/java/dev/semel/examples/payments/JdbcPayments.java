package dev.semel.examples.payments;

import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Payments in a table beside the records, in SQLite or PostgreSQL. */
final class JdbcPayments implements Payments {

    private static final String CREATE = """
            CREATE TABLE IF NOT EXISTS payment (
                payment_id     text   PRIMARY KEY,
                account        text   NOT NULL,
                status         text   NOT NULL,
                customer_id    text   NOT NULL,
                amount_cents   bigint NOT NULL,
                currency       text   NOT NULL,
                payment_method text   NOT NULL
            )""";

    private static final String INSERT = """
            INSERT INTO payment (payment_id, account, status, customer_id, amount_cents, currency, payment_method)
            VALUES (:paymentId, :account, :status, :customerId, :amountCents, :currency, :paymentMethod)
            ON CONFLICT (payment_id) DO NOTHING""";

    private static final String SELECT = """
            SELECT payment_id, status, customer_id, amount_cents, currency, payment_method
            FROM payment WHERE account = :account AND payment_id = :paymentId""";

    private final JdbcClient jdbc;

    JdbcPayments(JdbcClient jdbc) {
        this.jdbc = jdbc;
        Tables.create(jdbc, List.of(CREATE));
    }

    @Override
    public void add(String account, Payment payment) {
        jdbc.sql(INSERT)
                .param("paymentId", payment.paymentId())
                .param("account", account)
                .param("status", payment.status())
                .param("customerId", payment.customerId())
                .param("amountCents", payment.amountCents())
                .param("currency", payment.currency())
                .param("paymentMethod", payment.paymentMethod())
                .update();
    }

    @Override
    public Optional<Payment> find(String account, String paymentId) {
        return jdbc.sql(SELECT)
                .param("account", account)
                .param("paymentId", paymentId)
                .query(Payment.class)
                .optional();
    }
}

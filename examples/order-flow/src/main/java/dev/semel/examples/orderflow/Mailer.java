package dev.semel.examples.orderflow;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.kafka.KafkaInbox;
import dev.semel.reconcile.ReconcilePolicy;
import dev.semel.reconcile.Reconciler;
import dev.semel.reconcile.UnknownOutcome;
import dev.semel.reconcile.Verdict;
import java.io.IOException;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.json.JsonMapper;

/**
 * Consumes the messages of placed orders: sends a mail for each, and changes the order's status to confirmed.
 *
 * <ol>
 *   <li>The inbox handles each message once, however often it was published and delivered.
 *   <li>A mail is outside of every transaction. When the process is killed between sending and recording it, the outcome is
 *       unknown, and the resolver asks the provider by the key that was sent with the mail.
 *   <li>The status change is idempotent: handler and resolver both make it.
 * </ol>
 */
final class Mailer implements AutoCloseable {

    static final String CONFIRM_ORDER = "confirm-order";

    /** The purpose of a mail's downstream key. */
    private static final String MAIL = "mail";

    private final DataSource database;
    private final Orders orders;
    private final Mails mails;
    private final JsonMapper json = new JsonMapper();
    private final Reconciler reconciler;
    private final KafkaInbox inbox;

    Mailer(Settings settings, SemelEngine semel, DataSource database, Orders orders, Mails mails) {
        this.database = database;
        this.orders = orders;
        this.mails = mails;
        Operation confirm = Operation.named(CONFIRM_ORDER)
                .retention(Retention.WEBHOOK)
                .failures(Failures.RETRY)
                .lease(settings.lease());
        ReconcilePolicy policy = ReconcilePolicy.DEFAULT
                .settleWindow(settings.settleWindow())
                .firstDelay(settings.settleWindow().dividedBy(4))
                .longestDelay(settings.settleWindow());
        this.reconciler = Reconciler.of(semel.unknownOutcomes())
                .resolve(confirm, this::resolve, policy)
                .every(settings.lease())
                .build();
        Map<String, Object> kafka = new HashMap<>(settings.kafka());
        kafka.put("group.id", "mailer");
        this.inbox = KafkaInbox.of(semel, kafka)
                .topics(OrderFlow.TOPIC)
                .operation(confirm)
                .handler(this::confirm)
                .build();
    }

    Mailer start() {
        reconciler.start();
        new Thread(inbox, "mailer").start();
        return this;
    }

    private void confirm(ConsumerRecord<byte[], byte[]> message, Attempt attempt) {
        Order order = json.readValue(message.value(), Order.class);
        mails.send(attempt.downstreamKey(MAIL), order.customer(), "Thank you for ordering " + order.item());
        try {
            markConfirmed(order.orderId());
        } catch (SQLException e) {
            // After an ordinary failure the message would be handled, and the mail sent, again.
            throw new OutcomeUnknownException("the mail was sent, but the order's status was not changed", e);
        }
    }

    private void markConfirmed(String orderId) throws SQLException {
        Transactions.run(database, connection -> orders.move(connection, orderId, OrderStatus.CONFIRMED));
    }

    /** Resolves the outcome of a message whose handler was killed, or got no answer from the provider. */
    private Verdict resolve(UnknownOutcome unknown) throws IOException, InterruptedException, SQLException {
        if (!mails.wasSent(unknown.downstreamKey(MAIL))) {
            return new Verdict.DidNotHappen("the provider has no mail with this key");
        }
        Optional<Order> order = Transactions.run(
                database,
                connection ->
                        orders.findByKey(connection, unknown.identity().key().value()));
        if (order.isPresent()) {
            markConfirmed(order.get().orderId());
        }
        return Inbox.wasHandled("the provider has sent the mail");
    }

    @Override
    public void close() {
        inbox.close();
        reconciler.close();
    }
}

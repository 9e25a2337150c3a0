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
 * Sends a mail for each order that a message tells of, and notes in the order that it is confirmed.
 *
 * <ol>
 *   <li>The inbox handles each message once, however often it was published and delivered.
 *   <li>A mail is outside of every transaction: when this is killed between sending it and recording that, nobody knows. Then
 *       the provider is asked, by the key that was sent with the mail.
 *   <li>Noting it in the order needs no protection. Whoever finds out does it, also for the second time.
 * </ol>
 */
final class Mailer implements AutoCloseable {

    static final String CONFIRM_ORDER = "confirm-order";

    /** What a mail's key is derived for. */
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
            note(order.orderId());
        } catch (SQLException e) {
            // An ordinary failure would have the message handled, and the mail sent, once more.
            throw new OutcomeUnknownException("the mail is sent, and the order does not say so", e);
        }
    }

    private void note(String orderId) throws SQLException {
        Transactions.run(database, connection -> orders.move(connection, orderId, OrderStatus.CONFIRMED));
    }

    /** What became of a message whose handler has vanished, or did not hear from the provider. */
    private Verdict resolve(UnknownOutcome unknown) throws IOException, InterruptedException, SQLException {
        if (!mails.wasSent(unknown.downstreamKey(MAIL))) {
            return new Verdict.DidNotHappen("the provider knows of no such mail");
        }
        Optional<Order> order = Transactions.run(
                database,
                connection ->
                        orders.findByKey(connection, unknown.identity().key().value()));
        if (order.isPresent()) {
            note(order.get().orderId());
        }
        return Inbox.wasHandled("the provider has sent the mail");
    }

    @Override
    public void close() {
        inbox.close();
        reconciler.close();
    }
}

package dev.semel.messaging;

import dev.semel.Failures;
import dev.semel.Intent;
import dev.semel.Operation;
import dev.semel.Operation.LateRetries;
import dev.semel.Retention;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.Verdict;
import java.util.List;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * Handles each message of a consumer group once, however often it is delivered.
 *
 * <ol>
 *   <li>A redelivery of a handled message is acknowledged without any effect.
 *   <li>A message that another consumer is handling, or whose outcome is unknown, is redelivered.
 *   <li>A handler that fails releases the message: the next delivery is handled. After the last attempt the message is a dead
 *       letter, and the record holds the reason.
 *   <li>A message with a used id and other content is a dead letter at once. So is one that comes when its retention has passed,
 *       if it says when it was sent ({@link MessageIdentity#sentAt(java.time.Instant)}), or the store keeps tombstones.
 *   <li>When the store is unavailable, nothing is handled.
 * </ol>
 *
 * <pre>{@code
 * Inbox<Order> inbox = Inbox.of(semel, "mailer", (Order sent) -> MessageIdentity.withId(sent.id(), sent.json())).build();
 * Delivery delivery = inbox.handle(order, (message, attempt) -> mail.send(message));
 * }</pre>
 */
public final class Inbox<M> {

    private final SemelEngine semel;
    private final Scope scope;
    private final Operation operation;
    private final Function<? super M, MessageIdentity> identities;
    private final Function<? super M, String> descriptions;
    private final Deliveries deliveries;

    private Inbox(Builder<M> builder) {
        this.semel = builder.semel;
        this.scope = builder.scope;
        this.operation = builder.operation.lateRetries() == LateRetries.BY_KEY
                ? builder.operation.lateRetries(LateRetries.BY_TOMBSTONE)
                : builder.operation;
        this.identities = builder.identities;
        this.descriptions = builder.descriptions;
        this.deliveries = new Deliveries(semel, builder.maxAttempts);
    }

    /**
     * Starts to configure the inbox of a consumer group.
     *
     * @param identities reads the identity of a message. A message for which it throws an {@link IllegalArgumentException} has
     *     no usable id and is a dead letter; any other exception is a fault, and the message is redelivered
     */
    public static <M> Builder<M> of(SemelEngine semel, String group, Function<? super M, MessageIdentity> identities) {
        return new Builder<>(semel, group, identities);
    }

    /** Handles a message unless it was handled before. What the handler throws is not rethrown. */
    public Delivery handle(M message, MessageHandler<? super M> handler) {
        return handleAll(List.of(message), one -> one, handler).get(0);
    }

    /**
     * Handles a batch: one round trip to the store claims all messages, they are handled one after the other, and one round
     * trip settles them.
     *
     * @param lanes the lane of a message, such as its partition: behind a message that is redelivered, no message of the same
     *     lane is handled
     * @return what the broker has to do with each message
     */
    public List<Delivery> handleAll(
            List<? extends M> messages, Function<? super M, ?> lanes, MessageHandler<? super M> handler) {
        InboxBatch<M> batch = new InboxBatch<>(semel, deliveries, handler);
        for (M message : messages) {
            Object lane = lanes.apply(message);
            Intent intent;
            try {
                intent = intentOf(message);
            } catch (RuntimeException unreadable) {
                batch.add(message, lane, Deliveries.unidentified(unreadable));
                continue;
            }
            batch.add(message, lane, intent);
        }
        return batch.handle();
    }

    /**
     * Handles a message in a transaction on a connection of this data source. The effect and the message's record commit
     * together, so a message whose consumer was killed is handled again, whatever the operation says. A group must not mix
     * this method with the others.
     *
     * @throws UnsupportedOperationException when the store has no transactions
     */
    public Delivery handleInTransaction(M message, DataSource dataSource, TransactionalHandler<? super M> handler) {
        Intent intent;
        try {
            intent = intentOf(message);
        } catch (RuntimeException unreadable) {
            return Deliveries.unidentified(unreadable);
        }
        return deliveries.inTransaction(
                intent, dataSource, (connection, attempt) -> handler.handle(connection, message, attempt));
    }

    /**
     * The finding of a resolver that has evidence of a message's effect: the message was handled.
     *
     * @param detail the evidence, for operators
     */
    public static Verdict wasHandled(String detail) {
        return new Verdict.Happened(HandledRecord.response(), detail);
    }

    private Intent intentOf(M message) {
        MessageIdentity identity = identities.apply(message);
        Intent intent = Intent.of(operation, scope, identity.key(), identity.fingerprint())
                .describedAs(descriptions.apply(message));
        return identity.sentAt() == null ? intent : intent.firstSentAt(identity.sentAt());
    }

    /** Configures an inbox. */
    public static final class Builder<M> {

        /** Enough to outlast a restart of a service that the handler calls; few enough to stop a poison message soon. */
        private static final int DEFAULT_ATTEMPTS = 5;

        private final SemelEngine semel;
        private final Function<? super M, MessageIdentity> identities;
        private Scope scope;
        private Operation operation;
        private Function<? super M, String> descriptions;
        private int maxAttempts = DEFAULT_ATTEMPTS;

        private Builder(SemelEngine semel, String group, Function<? super M, MessageIdentity> identities) {
            this.semel = semel;
            this.scope = Scope.of("inbox", group);
            this.identities = identities;
            this.descriptions = message -> "message to " + group;
            this.operation =
                    Operation.named("consume").retention(Retention.WEBHOOK).failures(Failures.RETRY);
        }

        /**
         * The policy: the name in metrics, the retention of handled messages, how long a duplicate waits for a delivery that is
         * being handled, and what a failure means. By default the retention is 7 days, and a failure releases the message.
         *
         * @throws IllegalArgumentException when the name is the one under which the inbox counts failures
         */
        public Builder<M> operation(Operation policy) {
            if (policy.name().equals(FailureCounts.OPERATION)) {
                throw new IllegalArgumentException("the operation name '" + policy.name()
                        + "' is reserved: the inbox counts failed attempts under it; choose another name");
            }
            this.operation = policy;
            return this;
        }

        /** The scope of the message ids; {@code inbox/GROUP} by default. */
        public Builder<M> scope(Scope owner) {
            this.scope = owner;
            return this;
        }

        /**
         * The number of failed attempts after which a message is a dead letter.
         *
         * @throws IllegalArgumentException when it is less than one
         */
        public Builder<M> maxAttempts(int attempts) {
            if (attempts < 1) {
                throw new IllegalArgumentException("maxAttempts is " + attempts + ", it must be at least 1");
            }
            this.maxAttempts = attempts;
            return this;
        }

        /**
         * Describes a message to operators, such as by its queue; {@code message to GROUP} by default. The description is
         * stored in clear with the record. The function must not throw.
         */
        public Builder<M> describedBy(Function<? super M, String> newDescriptions) {
            this.descriptions = newDescriptions;
            return this;
        }

        public Inbox<M> build() {
            return new Inbox<>(this);
        }
    }
}

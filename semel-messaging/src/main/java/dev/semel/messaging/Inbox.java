package dev.semel.messaging;

import dev.semel.Failures;
import dev.semel.Intent;
import dev.semel.Operation;
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
 *   <li>A message that was handled is acknowledged without any effect when it comes again.
 *   <li>One that somebody else is handling, or whose outcome is unknown, has to come again.
 *   <li>A handler that fails releases the message: the next delivery handles it anew. After so many attempts it is a dead
 *       letter, and the record says why.
 *   <li>The same id with another content is no repetition: it is a dead letter at once.
 *   <li>When the store cannot be asked, nothing is handled.
 * </ol>
 *
 * <pre>{@code
 * Inbox<Order> inbox = Inbox.of(semel, "mailer", (Order sent) -> Letter.withId(sent.id(), sent.json())).build();
 * Delivery delivery = inbox.handle(order, (message, attempt) -> mail.send(message));
 * }</pre>
 */
public final class Inbox<M> {

    private final SemelEngine semel;
    private final Scope scope;
    private final Operation operation;
    private final Function<? super M, Letter> letters;
    private final Function<? super M, String> descriptions;
    private final Deliveries deliveries;

    private Inbox(Builder<M> builder) {
        this.semel = builder.semel;
        this.scope = builder.scope;
        this.operation = builder.operation;
        this.letters = builder.letters;
        this.descriptions = builder.descriptions;
        this.deliveries = new Deliveries(semel, builder.mostAttempts);
    }

    /**
     * Starts to configure the inbox of a consumer group.
     *
     * @param letters what tells messages apart. A message for which it throws an {@link IllegalArgumentException} has no usable
     *     id and is a dead letter; whatever else it throws is a fault, and the message comes again
     */
    public static <M> Builder<M> of(SemelEngine semel, String group, Function<? super M, Letter> letters) {
        return new Builder<>(semel, group, letters);
    }

    /** Handles a message, unless that was done before; never throws what the handler threw. */
    public Delivery handle(M message, MessageHandler<? super M> handler) {
        return handleAll(List.of(message), one -> one, handler).get(0);
    }

    /**
     * Handles a batch: all are claimed in one round trip to the store, handled one after the other, and settled in one.
     *
     * @param lanes which messages have to be handled in their order, such as those of a partition: when one has to come
     *     again, those after it in its lane are not handled before it
     * @return for each message what is to become of it
     */
    public List<Delivery> handleAll(
            List<? extends M> messages, Function<? super M, ?> lanes, MessageHandler<? super M> handler) {
        InboxBatch<M> batch = new InboxBatch<>(semel, deliveries, handler);
        for (M message : messages) {
            Object lane = lanes.apply(message);
            Intent intent;
            try {
                intent = intentOf(message);
            } catch (RuntimeException untold) {
                batch.add(message, lane, Deliveries.notToldApart(untold));
                continue;
            }
            batch.add(message, lane, intent);
        }
        return batch.handle();
    }

    /**
     * Handles a message in a transaction on a connection of this data source, together with its record: both are there, or
     * neither is. So a message whose consumer was killed is simply handled again, whatever the operation says; a group
     * handles its messages either in this way or in the others.
     *
     * @throws UnsupportedOperationException when the store is not in a database
     */
    public Delivery handleInTransaction(M message, DataSource dataSource, TransactionalHandler<? super M> handler) {
        Intent intent;
        try {
            intent = intentOf(message);
        } catch (RuntimeException untold) {
            return Deliveries.notToldApart(untold);
        }
        return deliveries.inTransaction(
                intent, dataSource, (connection, attempt) -> handler.handle(connection, message, attempt));
    }

    /**
     * What a resolver of unknown outcomes finds that has seen a message's effect: it was handled.
     *
     * @param detail what was seen, for people
     */
    public static Verdict wasHandled(String detail) {
        return new Verdict.Happened(HandledRecord.response(), detail);
    }

    private Intent intentOf(M message) {
        Letter letter = letters.apply(message);
        return Intent.of(operation, scope, letter.key(), letter.fingerprint()).describedAs(descriptions.apply(message));
    }

    /** Configures an inbox. */
    public static final class Builder<M> {

        /** Enough to outlast a restart of what the handler needs; few enough that a poison message is out of the way soon. */
        private static final int DEFAULT_ATTEMPTS = 5;

        private final SemelEngine semel;
        private final Function<? super M, Letter> letters;
        private Scope scope;
        private Operation operation;
        private Function<? super M, String> descriptions;
        private int mostAttempts = DEFAULT_ATTEMPTS;

        private Builder(SemelEngine semel, String group, Function<? super M, Letter> letters) {
            this.semel = semel;
            this.scope = Scope.of("inbox", group);
            this.letters = letters;
            this.descriptions = message -> "message to " + group;
            this.operation =
                    Operation.named("consume").retention(Retention.WEBHOOK).failures(Failures.RETRY);
        }

        /**
         * How messages are handled: the name in metrics, how long handled ones are remembered, how long a delivery waits for
         * another that is at it, and what a failure means. By default they are remembered for 7 days, and a failure
         * releases the message.
         *
         * @throws IllegalArgumentException when it has the name under which the inbox counts failures: by it everybody knows
         *     that nothing happened
         */
        public Builder<M> operation(Operation how) {
            if (how.name().equals(FailureCounts.OPERATION)) {
                throw new IllegalArgumentException(
                        "an inbox counts failures as '" + how.name() + "': give the operation another name");
            }
            this.operation = how;
            return this;
        }

        /** Whom the ids belong to, where that is not {@code inbox/GROUP}. */
        public Builder<M> scope(Scope owner) {
            this.scope = owner;
            return this;
        }

        /**
         * After how many failed attempts a message is a dead letter.
         *
         * @throws IllegalArgumentException when there would be none
         */
        public Builder<M> mostAttempts(int attempts) {
            if (attempts < 1) {
                throw new IllegalArgumentException("mostAttempts is " + attempts + ": at least one is needed");
            }
            this.mostAttempts = attempts;
            return this;
        }

        /**
         * How a message is described to operators, such as by its queue; by default {@code message to GROUP}. It is stored in
         * clear with the record, and must not fail.
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

package dev.semel.spring.messaging;

import dev.semel.Failures;
import dev.semel.Operation;
import dev.semel.Retention;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.spring.Operations;
import dev.semel.spring.SemelProperties.InboxProperties;
import java.util.function.Function;

/**
 * Creates inboxes with the settings of the properties {@code semel.inbox.*}, for the idempotent listeners, and for consumers of
 * the application's own:
 *
 * <pre>{@code
 * Inbox<Task> inbox = inboxes.builder("worker", (Task task) -> MessageIdentity.withId(task.id(), task.body())).build();
 * }</pre>
 */
public final class Inboxes {

    private final SemelEngine semel;
    private final Operation operation;
    private final int maxAttempts;
    private final RedeliveryPause redeliveryPause;

    Inboxes(SemelEngine semel, Operations operations, InboxProperties properties) {
        this.semel = semel;
        this.maxAttempts = properties.maxAttempts();
        this.operation = operations.basedOn(Configured.value(
                "semel.inbox.operation",
                properties.operation(),
                () -> Operation.named(properties.operation())
                        .retention(Retention.WEBHOOK)
                        .failures(Failures.RETRY)));
        this.redeliveryPause = Configured.value(
                "semel.inbox.redelivery-pause",
                properties.redeliveryPause(),
                () -> new RedeliveryPause(properties.redeliveryPause()));
        // Also when no inbox is created, so that a wrong value is refused at start.
        Inbox.Builder<MessageIdentity> probe = Inbox.of(semel, "start", Function.identity());
        Configured.value("semel.inbox.max-attempts", maxAttempts, () -> probe.maxAttempts(maxAttempts));
        Configured.value("semel.inbox.operation", properties.operation(), () -> probe.operation(operation));
    }

    /**
     * Starts to configure the inbox of a group.
     *
     * @param group within which each message is handled once
     * @param identities reads the identity of a message, as in {@link Inbox#of}
     */
    public <M> Inbox.Builder<M> builder(String group, Function<? super M, MessageIdentity> identities) {
        return Inbox.<M>of(semel, group, identities).operation(operation).maxAttempts(maxAttempts);
    }

    RedeliveryPause redeliveryPause() {
        return redeliveryPause;
    }
}

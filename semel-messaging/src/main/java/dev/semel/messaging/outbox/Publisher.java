package dev.semel.messaging.outbox;

import java.util.List;

/** Hands messages to a broker. */
@FunctionalInterface
public interface Publisher {

    /**
     * Publishes these, in their order, each with its idempotency key. Returns when the broker has confirmed all of them.
     *
     * @throws Exception when it has not; then all are published again, also those that it has
     */
    void publish(List<OutboxMessage> messages) throws Exception;
}

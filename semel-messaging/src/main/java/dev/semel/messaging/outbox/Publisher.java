package dev.semel.messaging.outbox;

import java.util.List;

/** Hands messages to a broker. */
@FunctionalInterface
public interface Publisher {

    /**
     * Publishes the messages in their order, each with its idempotency key. Returns when the broker has confirmed all of them.
     *
     * @throws Exception when the broker has not confirmed all; then all are published again, including the confirmed ones
     */
    void publish(List<OutboxMessage> messages) throws Exception;
}

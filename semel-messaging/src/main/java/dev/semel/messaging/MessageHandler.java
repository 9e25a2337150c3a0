package dev.semel.messaging;

import dev.semel.Attempt;

/** What is to be done once for a message. */
@FunctionalInterface
public interface MessageHandler<M> {

    /**
     * Handles a message.
     *
     * @throws Exception when it could not; by default the message is then delivered again
     */
    void handle(M message, Attempt attempt) throws Exception;
}

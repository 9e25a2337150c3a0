package dev.semel.messaging;

import dev.semel.Attempt;

/** The application's code that handles a message, once. */
@FunctionalInterface
public interface MessageHandler<M> {

    /**
     * Handles a message.
     *
     * @throws Exception when handling failed; by default the message is then delivered again
     */
    void handle(M message, Attempt attempt) throws Exception;
}

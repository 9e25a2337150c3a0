package dev.semel.messaging;

import dev.semel.Attempt;
import java.sql.Connection;

/** The application's code that handles a message, once, in the transaction that also records it. */
@FunctionalInterface
public interface TransactionalHandler<M> {

    /**
     * Handles a message.
     *
     * @throws Exception when handling failed; the transaction is then rolled back
     */
    void handle(Connection connection, M message, Attempt attempt) throws Exception;
}

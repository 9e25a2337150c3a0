package dev.semel.messaging;

import dev.semel.Attempt;
import java.sql.Connection;

/** What is to be done once for a message, in the transaction that also records it. */
@FunctionalInterface
public interface TransactionalHandler<M> {

    /**
     * Handles a message.
     *
     * @throws Exception when it could not; what it has written is rolled back
     */
    void handle(Connection connection, M message, Attempt attempt) throws Exception;
}

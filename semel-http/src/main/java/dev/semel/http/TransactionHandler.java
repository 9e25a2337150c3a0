package dev.semel.http;

import java.sql.Connection;

/** A transport's way of running the handler of a request within a transaction. */
@FunctionalInterface
public interface TransactionHandler {

    /**
     * Runs the handler on the calling thread, holds back all of its response, and tells the run how it ended.
     *
     * @param connection what the transaction is on; whoever began it also ends it
     * @return what the run said; it is not sent before {@link Gate#transact} has returned
     */
    Ending handle(Run run, Connection connection);
}

package dev.semel.http;

import java.sql.Connection;

/** A transport's way of running the handler of a request within a transaction. */
@FunctionalInterface
public interface TransactionHandler {

    /**
     * Runs the handler on the calling thread, holds back all of its response, and settles the run with the result.
     *
     * @param connection the transaction's connection; only the {@link TransactionRunner} ends the transaction
     * @return how the run ended; nothing is sent before {@link Gate#transact} has returned
     */
    Ending handle(Run run, Connection connection);
}

package dev.semel.spring;

import dev.semel.Codec;
import dev.semel.Execution;
import dev.semel.Intent;
import dev.semel.Semel.CheckedWork;
import dev.semel.engine.SemelEngine;
import org.jspecify.annotations.Nullable;

/** Transactions of methods that are {@link Idempotent} and transactional at once. */
interface MethodTransactions {

    /** Where there are no transactions. */
    MethodTransactions NONE = new MethodTransactions() {
        @Override
        public boolean isTransactional(IdempotentMethod method) {
            return false;
        }

        @Override
        public void check(IdempotentMethod method) {}

        @Override
        public <T extends @Nullable Object> Execution<T> execute(
                SemelEngine semel,
                IdempotentMethod method,
                Intent intent,
                Codec<T> codec,
                CheckedWork<T, Exception> work) {
            throw new IllegalStateException("there are no transactions");
        }
    };

    boolean isTransactional(IdempotentMethod method);

    /**
     * Checks the settings of the method's transaction.
     *
     * @throws IllegalStateException when a record cannot be part of it; the message says why
     */
    void check(IdempotentMethod method);

    /** Runs the work in the transaction of the method, which is begun here unless there is one, together with its record. */
    <T extends @Nullable Object> Execution<T> execute(
            SemelEngine semel, IdempotentMethod method, Intent intent, Codec<T> codec, CheckedWork<T, Exception> work)
            throws Exception;
}

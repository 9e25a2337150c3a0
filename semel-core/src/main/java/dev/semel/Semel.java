package dev.semel;

import java.sql.Connection;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What an application calls to execute an operation: at most one execution per key, or an explicit {@code unknown} that is
 * settled on evidence; never a silent duplicate.
 *
 * <pre>{@code
 * Semel semel = SemelEngine.on(store).build();
 * Operation charge = Operation.named("charge").retention(Retention.PAYMENT);
 * Intent intent = Intent.of(charge, Scope.of("acme"), Key.of(key), fingerprint);
 * String receipt = semel.execute(intent, Codec.text(), attempt -> bank.charge(order)).orThrow();
 * }</pre>
 */
public interface Semel extends AutoCloseable {

    /**
     * Runs the work unless this intent was executed before, in which case it returns what was recorded then. What the work
     * throws reaches the caller after the record was settled by the operation's policy.
     *
     * @throws RecordedFailureException the replay of a recorded failure
     * @throws StoreException when the claim could not be made: nothing was executed
     */
    default <T extends @Nullable Object> Execution<T> execute(Intent intent, Codec<T> codec, Work<T> work) {
        return this.<T, RuntimeException>executeChecked(intent, codec, work::run);
    }

    /**
     * Like {@link #execute}, for work that throws a checked exception.
     *
     * @throws E what the work threw, after the record was settled by the operation's policy
     */
    <T extends @Nullable Object, E extends Exception> Execution<T> executeChecked(
            Intent intent, Codec<T> codec, CheckedWork<T, E> work) throws E;

    /** Like {@link #execute}, for work that answers later; failures arrive through the stage. */
    <T extends @Nullable Object> CompletionStage<Execution<T>> executeAsync(
            Intent intent, Codec<T> codec, AsyncWork<T> work);

    /**
     * Runs the work in a transaction of its own on a connection of this data source, which commits together with the
     * record, or rolls back together with it.
     *
     * @throws E what the work threw, after the rollback; for an {@link OutcomeUnknownException}, after that was recorded
     * @throws StoreException when the transaction could not be made or its commit was not confirmed: repeat the request
     *     with the same key to learn whether it happened. Where the message says that the outcome is unknown and not on
     *     record, find out first: a repetition may have the effect twice
     * @throws UnsupportedOperationException when the store cannot take part in a transaction
     */
    <T extends @Nullable Object, E extends Exception> Execution<T> executeInTransaction(
            DataSource dataSource, Intent intent, Codec<T> codec, TransactionWork<T, E> work) throws E;

    /**
     * Returns the operations of this engine within the transaction that this connection is in.
     *
     * @throws UnsupportedOperationException when the store cannot take part in a transaction
     * @throws IllegalArgumentException when the connection is in autocommit mode
     */
    TransactionalSemel within(Connection connection);

    /** Stops heartbeats and schedules and closes the store. Attempts that still run are left to become unknown. */
    @Override
    void close();

    /** The code of an operation: runs at most once per intent, unless an earlier attempt provably had no effect. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T run(Attempt attempt);
    }

    /** The code of an operation that throws a checked exception. */
    @FunctionalInterface
    interface CheckedWork<T extends @Nullable Object, E extends Exception> {
        T run(Attempt attempt) throws E;
    }

    /** The code of an operation that answers later. */
    @FunctionalInterface
    interface AsyncWork<T extends @Nullable Object> {
        /** Starts the work without blocking: this may be a thread of the store or of the timer, which other leases depend on. */
        CompletionStage<T> start(Attempt attempt);
    }

    /** The code of an operation whose effects are all in one database transaction. */
    @FunctionalInterface
    interface TransactionWork<T extends @Nullable Object, E extends Exception> {
        /** Writes through this connection, and leaves committing and closing it to the caller. */
        T run(Connection connection, Attempt attempt) throws E;
    }
}

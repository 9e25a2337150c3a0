package dev.semel;

import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import dev.semel.spi.Store;
import dev.semel.spi.StoredRecord;
import java.sql.Connection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The engine: at most one execution per key, or an explicit {@code unknown} that is settled on evidence; never a silent
 * duplicate.
 *
 * <pre>{@code
 * Semel semel = Semel.on(store).build();
 * Operation charge = Operation.named("charge").retention(Retention.PAYMENT);
 * Intent intent = Intent.of(charge, Scope.of("acme"), Key.of(key), fingerprint);
 * String receipt = semel.execute(intent, Codec.text(), attempt -> bank.charge(order)).orThrow();
 * }</pre>
 */
public interface Semel extends AutoCloseable {

    /** Starts to configure an engine on a store, which the engine closes when it is closed itself. */
    static SemelBuilder on(Store store) {
        return new SemelBuilder(store);
    }

    /**
     * Runs the work unless this intent was executed before, in which case it returns what was recorded then.
     *
     * @throws E what the work threw, after the record was settled by the operation's policy
     * @throws RecordedFailureException the replay of a recorded failure
     * @throws StoreException when the claim could not be made: nothing was executed
     */
    <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Intent intent, Codec<T> codec, Work<T, E> work) throws E;

    /** Like {@link #execute}, for work that answers later; failures arrive through the stage. */
    <T extends @Nullable Object> CompletionStage<Execution<T>> executeAsync(
            Intent intent, Codec<T> codec, AsyncWork<T> work);

    /**
     * Claims the right to execute, waiting as long as the operation allows; for adapters that run and settle themselves.
     *
     * @throws StoreException when the claim could not be made: nothing may be executed
     */
    Claim begin(Intent intent);

    /** Like {@link #begin}, without blocking while it waits. */
    CompletionStage<Claim> beginAsync(Intent intent);

    /**
     * Looks at a key that a client chose, before it is claimed. Listeners hear of each {@link Event.PoorKey}, and the log of
     * one in an hour for each operation. For adapters; {@link #execute} and {@link #begin} look at no key.
     *
     * @param hygiene only told on, except for {@link KeyHygiene#IGNORE}: to refuse is up to the caller
     * @return what speaks against the key; empty when nothing does, or when keys are ignored
     */
    Optional<KeyFinding> inspect(Operation operation, Scope scope, Key chosen, KeyHygiene hygiene);

    /**
     * Runs the task; claims that it begins with {@link #beginAsync}, and attempts that it settles, go to the store together
     * when it has returned, as far as the store can. So the task must not wait for any of them. For whoever has many at once,
     * such as a batch of messages.
     */
    void together(Runnable task);

    /**
     * The identity under which the store has the record of what a client sent: the same one, unless
     * {@link SemelBuilder#hashedKeys keys are hashed}. This interface takes keys as clients send them;
     * {@link UnknownOutcomes}, leases and records have them as they are stored.
     */
    Identity stored(Identity sent);

    /**
     * The identity under which the store has the record that a person names, by the key that the client sent or by the one
     * that records show.
     *
     * @throws StoreException when the key is in the clear, keys in this store are hashed, and this engine has no secret
     */
    Identity named(Identity typed);

    /** Reads a record, with the response that was recorded. Never executes anything. */
    Optional<StoredRecord> find(Identity identity);

    /**
     * The engine within the transaction that this connection is in.
     *
     * @throws UnsupportedOperationException when the store cannot take part in a transaction
     * @throws IllegalArgumentException when the connection is in autocommit mode
     */
    TransactionalSemel within(Connection connection);

    /**
     * Runs the work in a transaction of its own on a connection of this data source, which commits together with the
     * record, or rolls back together with it.
     *
     * @throws E what the work threw, after the rollback; for an {@link OutcomeUnknownException}, after that was recorded
     * @throws StoreException when the transaction could not be made or its commit was not confirmed: repeat the request
     *     with the same key to learn whether it happened. Where the message says that the outcome is unknown and not on
     *     record, find out first: a repetition may have the effect twice
     */
    <T extends @Nullable Object, E extends Exception> Execution<T> executeInTransaction(
            DataSource dataSource, Intent intent, Codec<T> codec, TransactionWork<T, E> work) throws E;

    /**
     * Settles an unknown outcome on evidence: for webhooks, and for whoever else knows.
     *
     * @param operation supplies the retention of the settled record
     * @throws UnsupportedOperationException when the store cannot reconcile
     */
    default Reconciliation settle(Operation operation, Identity identity, Verdict verdict, Evidence evidence) {
        return unknownOutcomes().settle(stored(identity), operation.retention(), verdict, evidence);
    }

    /**
     * The records that wait for evidence.
     *
     * @throws UnsupportedOperationException when the store cannot reconcile
     */
    UnknownOutcomes unknownOutcomes();

    /**
     * Prunes everything that is past its retention, in batches that are short enough not to be in anybody's way.
     *
     * @return how many records were removed or marked
     */
    long prune(Expiry expiry);

    /** Stops heartbeats and schedules and closes the store. Attempts that still run are left to become unknown. */
    @Override
    void close();
}

package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Retention.Expiry;
import dev.semel.Scope;
import dev.semel.Semel;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.TransactionClaims;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import dev.semel.reconcile.Reconciliation;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.Verdict;
import java.sql.Connection;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The engine with everything that adapters and operators need beyond {@link Semel}: claims that the caller runs and settles
 * itself, records, unknown outcomes, pruning.
 */
public interface SemelEngine extends Semel {

    /** Starts to configure an engine on a store, which the engine closes when it is closed itself. */
    static SemelBuilder on(Store store) {
        return new SemelBuilder(store);
    }

    /**
     * Claims the right to execute, waiting as long as the operation allows; for adapters that run and settle themselves.
     *
     * @throws StoreException when the claim could not be made: nothing may be executed
     */
    Claim begin(Intent intent);

    /** Like {@link #begin}, without blocking while it waits. */
    CompletionStage<Claim> beginAsync(Intent intent);

    @Override
    TransactionClaims within(Connection connection);

    /**
     * Runs the task; claims that it begins with {@link #beginAsync}, and attempts that it settles, go to the store together
     * when it has returned, as far as the store can. So the task must not wait for any of them. For callers that have many at
     * once, such as a batch of messages.
     */
    void together(Runnable task);

    /**
     * Inspects a key that a client chose, before it is claimed. Listeners get each {@link Event.PoorKey}; the log gets at most
     * one an hour for each operation. For adapters; {@link #execute} and {@link #begin} inspect no key.
     *
     * @param hygiene reported with the event, except for {@link KeyHygiene#IGNORE}; the caller does the refusing
     * @return what speaks against the key; empty when nothing does, or when keys are ignored
     */
    Optional<KeyFinding> inspect(Operation operation, Scope scope, Key chosen, KeyHygiene hygiene);

    /**
     * Returns the identity under which the store has the record of what a client sent: the same one, unless
     * {@link SemelBuilder#hashedKeys keys are hashed}. This interface takes keys as clients send them;
     * {@link UnknownOutcomes}, leases and records have them as they are stored.
     */
    Identity stored(Identity sent);

    /**
     * Returns the identity under which the store has the record that a person names, by the key that the client sent or by the
     * one that records show.
     *
     * @throws StoreException when the key is in the clear, keys in this store are hashed, and this engine has no secret
     */
    Identity named(Identity typed);

    /** Reads a record, with the response that was recorded. Never executes anything. */
    Optional<StoredRecord> find(Identity identity);

    /**
     * Settles an unknown outcome on evidence, for webhooks and other sources that learn the outcome.
     *
     * @param operation supplies the retention of the settled record
     * @param identity with the key as the client sent it
     * @param source of the evidence, such as {@code provider-webhook}; the verdict's detail completes it
     */
    default Reconciliation settle(Operation operation, Identity identity, Verdict.Final verdict, String source) {
        return unknownOutcomes().settle(stored(identity), operation.retention(), verdict, source);
    }

    /** Returns the records that wait for evidence. */
    UnknownOutcomes unknownOutcomes();

    /**
     * Prunes every record that is past its retention, in batches that are short enough not to delay requests.
     *
     * @return how many records were removed or marked
     */
    long prune(Expiry expiry);
}

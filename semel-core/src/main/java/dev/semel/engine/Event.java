package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.Scope;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.key.KeyFinding;
import dev.semel.reconcile.Evidence;
import java.time.Duration;

/** Something that happened to a record or to the store; see {@link SemelListener}. */
public sealed interface Event {

    /** An event of one record. The operation's name is the only part of it that is fit for a metric's tag. */
    sealed interface OfRecord extends Event {

        String operation();

        Identity identity();
    }

    /** A claim was decided. Claims that the store failed to decide are {@link StoreFault}s. */
    sealed interface OfClaim extends OfRecord {

        /** How long the caller has waited for the answer, also behind an attempt that was running. */
        Duration took();
    }

    /** An attempt ended, and the store has said what became of its outcome. */
    sealed interface OfSettlement extends OfRecord {

        /** How long the work ran: from the grant until its outcome was given. */
        Duration execution();

        /** How long it took from there until the store had answered, over all tries. */
        Duration settling();
    }

    /** The right to execute was granted; a {@code retry} follows an attempt that had no effect, or a crash. */
    record Granted(String operation, Identity identity, long fence, boolean retry, Duration took) implements OfClaim {}

    /**
     * A recorded response was found for a request; {@code near} if it came from memory and the store was not asked. It was given
     * again, unless a {@link ReplayRefused} follows.
     */
    record Replayed(String operation, Identity identity, boolean near, Duration took) implements OfClaim {}

    record RefusedInProgress(String operation, Identity identity, Duration took) implements OfClaim {}

    /** Key misuse: a security signal when it comes often. */
    record RefusedMismatch(String operation, Identity identity, Duration took) implements OfClaim {}

    record RefusedUnknown(String operation, Identity identity, long fence, Duration took) implements OfClaim {}

    /**
     * A caller did not get what is on record, because of a {@link dev.semel.Intent.ReplayCheck}.
     *
     * @param decided false where the check failed or took too long
     */
    record ReplayRefused(String operation, Identity identity, boolean decided) implements OfRecord {}

    /** A retry came after the retention of its key; nothing was executed. */
    record RefusedExpired(String operation, Identity identity, Duration took) implements OfClaim {}

    /** A key says a time that the store's clock has not reached; nothing was executed. */
    record RefusedFromFuture(String operation, Identity identity, Duration took) implements OfClaim {}

    /** An attempt ended, and its outcome is durable; within a transaction of the caller's, once that commits. */
    record Settled(String operation, Identity identity, long fence, State to, Duration execution, Duration settling)
            implements OfSettlement {}

    /** An answer came from an attempt that had lost its lease; it was not recorded. */
    record LeaseLost(String operation, Identity identity, long fence, Duration execution, Duration settling)
            implements OfSettlement {}

    /** A verdict settled an unknown outcome. */
    record Reconciled(String operation, Identity identity, long fence, State to, Evidence evidence)
            implements OfRecord {}

    /** The lease of an attempt has expired without a settlement, and this is the first time that it was noticed. */
    record ZombieKey(String operation, Identity identity, long fence, boolean reoffered) implements OfRecord {}

    /** An unknown outcome cannot be settled yet: its resolver is asked again after this delay. */
    record ReconcileScheduled(String operation, Identity identity, long fence, int tries, Duration delay)
            implements OfRecord {}

    /** The search for evidence failed: once, or for good when the record was left to a person. */
    record ReconcileFailed(String operation, Identity identity, long fence, String why, boolean deadLettered)
            implements OfRecord {}

    /** The store failed while it was asked for this verb. */
    record StoreFault(String operation, Identity identity, String verb, StoreException fault) implements OfRecord {}

    /** The store failed while it was asked for this verb, which concerns many records. */
    record BatchFault(String verb, StoreException fault) implements Event {}

    /** The near-cache failed while it was asked for this verb; the store was asked instead. */
    record CacheFault(String verb, Throwable fault) implements Event {}

    /**
     * A client chose a key that looks like personal data or is easy to guess; the key itself is not told.
     *
     * @param refused whether the key was refused for that
     */
    record PoorKey(String operation, Scope scope, KeyFinding finding, boolean refused) implements Event {}

    /** A pruning batch ended. */
    record Pruned(int records, Expiry expiry) implements Event {}
}

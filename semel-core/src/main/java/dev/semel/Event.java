package dev.semel;

import java.time.Duration;

/** Something that happened to a record or to the store; see {@link SemelListener}. */
public sealed interface Event {

    /** An event of one record. The operation's name is the only part of it that is fit for a metric's tag. */
    sealed interface OfRecord extends Event {

        String operation();

        Identity identity();
    }

    /** The right to execute was granted; a {@code retry} follows an attempt that had no effect, or a crash. */
    record Granted(String operation, Identity identity, long fence, boolean retry) implements OfRecord {}

    record Replayed(String operation, Identity identity) implements OfRecord {}

    record RefusedInProgress(String operation, Identity identity) implements OfRecord {}

    /** Key misuse: a security signal when it comes often. */
    record RefusedMismatch(String operation, Identity identity) implements OfRecord {}

    record RefusedUnknown(String operation, Identity identity, long fence) implements OfRecord {}

    /** An attempt ended, and its outcome is durable. */
    record Settled(String operation, Identity identity, long fence, State to, Duration execution) implements OfRecord {}

    /** An answer came from an attempt that had lost its lease; it was not recorded. */
    record LeaseLost(String operation, Identity identity, long fence) implements OfRecord {}

    /** A verdict settled an unknown outcome. */
    record Reconciled(String operation, Identity identity, long fence, State to, Evidence evidence)
            implements OfRecord {}

    /** The store failed while it was asked for this verb. */
    record StoreFault(String operation, Identity identity, String verb, StoreException fault) implements OfRecord {}

    /** A pruning batch ended. */
    record Pruned(int records, Expiry expiry) implements Event {}
}

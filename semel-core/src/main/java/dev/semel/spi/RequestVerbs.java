package dev.semel.spi;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Operation.LateRetries;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a store does for requests. Each verb is atomic, and durable before its stage completes; a claim also returns
 * the record that it found.
 *
 * <p>A stage that fails does so with a {@link dev.semel.StoreException}; then the write may or may not have happened.
 */
public interface RequestVerbs {

    /**
     * Asks for the right to execute. In this order: another fingerprint is a mismatch, unless the record is past its
     * retention; an absent or expired record is granted; so is one that failed retryably, and one whose lease has expired
     * if both the record and the request are re-executable; an expired lease otherwise turns the record unknown. An absent or
     * expired record is granted only if {@link FirstUse} allows it; if not, nothing is written.
     */
    CompletionStage<ClaimAnswer> claim(ClaimRequest request);

    /**
     * Ends the attempt that holds this lease. Completion is accepted from {@code in_progress} and, as the late answer of
     * the same fence, from {@code unknown}; the other two outcomes from {@code in_progress} alone.
     *
     * @param retention how long to keep a settled record; unknown records ignore it, since they never expire
     */
    CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention);

    /** Lets the lease run for this long from now, while the record is in progress under its fence. */
    CompletionStage<RenewAnswer> renew(Lease lease, Duration duration);

    /**
     * Appends a finished step to a record in progress under this fence, and ends the doubt about it, so that the next attempt
     * need not do the step again. Recording the same step again does no harm: the answer to the first time may have been lost.
     */
    CompletionStage<StepAnswer> step(Lease lease, String name, Response result);

    /** Reads a record from the place where it is written, never from a replica. */
    CompletionStage<Optional<StoredRecord>> find(Identity identity);

    /**
     * The request for the right to execute.
     *
     * @param holder unique to this request; a claim that is repeated because its answer was lost carries the same holder,
     *     and gets the same lease again instead of finding itself in its own way; {@link Holder} says what is in it
     * @param firstUse when an absent or expired record may be granted
     */
    record ClaimRequest(
            Identity identity,
            String operation,
            Fingerprint fingerprint,
            Duration lease,
            boolean reexecutable,
            String holder,
            FirstUse firstUse) {

        /** A request for a key that may be used at any time. */
        public ClaimRequest(
                Identity identity,
                String operation,
                Fingerprint fingerprint,
                Duration lease,
                boolean reexecutable,
                String holder) {
            this(identity, operation, fingerprint, lease, reexecutable, holder, FirstUse.ANY_TIME);
        }

        public ClaimRequest withFingerprint(Fingerprint other) {
            return new ClaimRequest(identity, operation, other, lease, reexecutable, holder, firstUse);
        }

        public ClaimRequest withFirstUse(FirstUse other) {
            return new ClaimRequest(identity, operation, fingerprint, lease, reexecutable, holder, other);
        }
    }

    /**
     * When a key may be used for the first time, or again after its record has expired. The store compares these times with its
     * own clock, in the step that grants.
     *
     * <p>A grant is not before {@code from}, and its record is kept for the retention at least: so a record that is gone
     * has expired at {@code until} or later, whatever the client's clock says.
     *
     * @param from the first moment; null for any
     * @param until the moment from which the key is refused as late; null for never
     * @param lateRetries whether a record that has expired, or its tombstone, refuses the key
     */
    record FirstUse(@Nullable Instant from, @Nullable Instant until, LateRetries lateRetries) {

        /** A key that may be used at any time, and again after its retention. */
        public static final FirstUse ANY_TIME = new FirstUse(null, null, LateRetries.EXECUTE);

        /** Clocks of clients that are set over the network differ by less. */
        public static final Duration MOST_TOLERANCE = Duration.ofMinutes(5);

        /** A client's clock may be ahead by a quarter of the retention at most: that much sooner is its key late. */
        private static final int TOLERANCE_DIVISOR = 4;

        /** The rule for a key of this time; null for a key without one. */
        public static FirstUse of(@Nullable Instant keyTime, Duration retention, LateRetries lateRetries) {
            if (keyTime == null || lateRetries == LateRetries.EXECUTE) {
                return new FirstUse(null, null, lateRetries);
            }
            Duration tolerance = toleranceOf(retention);
            return new FirstUse(
                    keyTime.minus(tolerance), keyTime.plus(retention).minus(tolerance), lateRetries);
        }

        /** How far a client's clock may be ahead of the store's. */
        public static Duration toleranceOf(Duration retention) {
            Duration share = retention.dividedBy(TOLERANCE_DIVISOR);
            return share.compareTo(MOST_TOLERANCE) < 0 ? share : MOST_TOLERANCE;
        }

        /** Whether there is a first and a last moment. */
        public boolean isTimed() {
            return from != null;
        }

        /** Whether the key is refused because its record has expired, in a store that keeps tombstones or does not. */
        public boolean refusesExpired(boolean keepsTombstones) {
            return lateRetries == LateRetries.REFUSE || (lateRetries != LateRetries.EXECUTE && keepsTombstones);
        }
    }

    /** A store's answer to a claim; the same atomic step that decides it also reads what it says. */
    sealed interface ClaimAnswer {

        /** The right was granted under a new fence: here is the record, in progress, with the steps of earlier attempts. */
        record Granted(StoredRecord record) implements ClaimAnswer {

            public Lease lease() {
                return record.lease();
            }

            /** 1 for a first attempt. */
            public int attempts() {
                return record.attempts();
            }
        }

        /** The record is completed: here it is, with its response. */
        record Recorded(StoredRecord record) implements ClaimAnswer {}

        /** Another attempt holds the lease for this much longer. */
        record Busy(Duration leaseRemaining) implements ClaimAnswer {}

        /** The record has another fingerprint. Nothing was changed, whatever its state. */
        record Mismatch(StoredRecord record) implements ClaimAnswer {}

        /**
         * The outcome of the last attempt is unknown.
         *
         * @param noticed whether this very claim made it so, because the attempt before it had vanished; of many claims at once
         *     exactly one says so
         */
        record Unknown(StoredRecord record, boolean noticed) implements ClaimAnswer {}

        /** The record has expired, or may have: the request's {@link FirstUse} has ended. Nothing was written. */
        record TooLate() implements ClaimAnswer {}

        /** The request's {@link FirstUse} has not begun. Nothing was written. */
        record TooEarly() implements ClaimAnswer {}
    }

    /** A store's answer to a settlement. */
    sealed interface SettleAnswer {

        /** Written, and durable. {@code from} is the state it had: a late answer finds it unknown. */
        record Settled(State from) implements SettleAnswer {}

        /** Nothing was written: the fence is stale, or the state does not allow it. Empty if there is no record. */
        record Refused(Optional<StoredRecord> current) implements SettleAnswer {}
    }

    /** A store's answer to a heartbeat. */
    enum RenewAnswer {
        /** The lease runs anew from now, by the store's clock. */
        RENEWED,
        /** The fence is stale or the record is settled: nothing was written. */
        LOST
    }

    /** A store's answer to a step. */
    enum StepAnswer {
        /** The step is durable. */
        RECORDED,
        /** The fence is stale or the record is settled: nothing was written. */
        LOST
    }
}

package dev.semel.spi;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Instant;

/**
 * The state machine: which claim gets what, and which settlement is accepted. Pure decisions, no writing.
 *
 * <p>Memory, SQLite and MySQL call this while they hold the record's lock. PostgreSQL calls it for
 * claims that write nothing; what it writes is decided in SQL, alike. Redis decides in Lua.
 */
public final class Transitions {

    /** The evidence on record when an attempt answers after its record had become unknown. */
    public static final Evidence LATE_ANSWER =
            new Evidence("late-answer", "the attempt that held this fence answered after its lease had expired");

    private Transitions() {}

    /** What a claim does to a record. */
    public enum ClaimDecision {
        /** Start afresh: next fence, attempts counted from one. */
        GRANT_NEW,
        /** Try again: next fence, one more attempt. */
        GRANT_AGAIN,
        /** The claim was granted before, to this very holder, and the answer got lost: say it again. */
        GRANT_SAME,
        /** An attempt has vanished, and this request may not execute again: write {@code unknown}, then answer so. */
        BECOME_UNKNOWN,
        ANSWER_MISMATCH,
        ANSWER_RECORDED,
        ANSWER_BUSY,
        ANSWER_UNKNOWN,
        /** The key may not be used any more. */
        ANSWER_TOO_LATE,
        /** The key may not be used yet. */
        ANSWER_TOO_EARLY
    }

    /**
     * What a store knows of records that it has deleted.
     *
     * @param keepsTombstones whether deleted records leave tombstones
     * @param tombstone whether the record of this claim has left one
     * @param deletedUpTo the highest time, by the store's clock, at which it has deleted a record for its age. A clock that is set
     *     back does not make a key fresh whose record was deleted before.
     */
    public record Deleted(boolean keepsTombstones, boolean tombstone, Instant deletedUpTo) {

        /** No record was deleted. */
        public static final Deleted NONE = new Deleted(false, false, Instant.EPOCH);

        /** What counts where there is a record. */
        public static Deleted unread(boolean keepsTombstones) {
            return new Deleted(keepsTombstones, false, Instant.EPOCH);
        }
    }

    /** Decides a claim of a key that has no record, at this time of the store's clock. */
    public static ClaimDecision onAbsent(ClaimRequest request, Deleted deleted, Instant now) {
        FirstUse use = request.firstUse();
        if (deleted.tombstone() && use.refusesExpired(true)) {
            return ClaimDecision.ANSWER_TOO_LATE;
        }
        return onNew(use, now, deleted.deletedUpTo());
    }

    /** A record that pruning has marked keeps its end, which a clock that was set back has not reached again. */
    private static ClaimDecision onExpired(StoredRecord record, FirstUse use, Deleted deleted) {
        if (use.refusesExpired(deleted.keepsTombstones()) && !StoredRecord.FORGOTTEN.equals(record.reason())) {
            return ClaimDecision.ANSWER_TOO_LATE;
        }
        Instant end = record.times().expiresAt();
        return onNew(use, record.times().asOf(), end == null ? record.times().asOf() : end);
    }

    private static ClaimDecision onNew(FirstUse use, Instant now, Instant past) {
        Instant latest = past.isAfter(now) ? past : now;
        if (use.until() != null && !latest.isBefore(use.until())) {
            return ClaimDecision.ANSWER_TOO_LATE;
        }
        return use.from() != null && now.isBefore(use.from())
                ? ClaimDecision.ANSWER_TOO_EARLY
                : ClaimDecision.GRANT_NEW;
    }

    /** Decides a claim on a record as its store's clock sees it now. */
    public static ClaimDecision onClaim(StoredRecord record, ClaimRequest request, Deleted deleted) {
        if (record.state() != State.EXPIRED && !record.fingerprint().matches(request.fingerprint())) {
            return ClaimDecision.ANSWER_MISMATCH;
        }
        return switch (record.state()) {
            case COMPLETED -> ClaimDecision.ANSWER_RECORDED;
            case FAILED_RETRYABLE -> onClaimRetryable(record, request);
            case UNKNOWN -> ClaimDecision.ANSWER_UNKNOWN;
            case IN_PROGRESS -> onClaimInProgress(record, request);
            case EXPIRED -> onExpired(record, request.firstUse(), deleted);
        };
    }

    /** The last attempt had no effect, but one that vanished before it may have had: only re-executable requests may go on. */
    private static ClaimDecision onClaimRetryable(StoredRecord record, ClaimRequest request) {
        return record.times().doubtSince() == null || request.reexecutable()
                ? ClaimDecision.GRANT_AGAIN
                : ClaimDecision.BECOME_UNKNOWN;
    }

    private static ClaimDecision onClaimInProgress(StoredRecord record, ClaimRequest request) {
        if (!record.leaseRemaining().isZero()) {
            return record.holder().equals(request.holder()) ? ClaimDecision.GRANT_SAME : ClaimDecision.ANSWER_BUSY;
        }
        return record.reexecutable() && request.reexecutable()
                ? ClaimDecision.GRANT_AGAIN
                : ClaimDecision.BECOME_UNKNOWN;
    }

    /** Whether the holder of this lease may settle the record with this outcome. */
    public static boolean maySettle(StoredRecord record, Lease lease, Outcome outcome) {
        return record.fence() == lease.fence()
                && (record.state() == State.IN_PROGRESS
                        || (record.state() == State.UNKNOWN && outcome instanceof Outcome.Completed));
    }

    /** Whether evidence about the attempt that had this lease may settle the record with this outcome. */
    public static boolean mayReconcile(StoredRecord record, Lease lease, Outcome outcome) {
        return record.fence() == lease.fence()
                && record.state() == State.UNKNOWN
                && !(outcome instanceof Outcome.Unknown);
    }

    /** What an expired lease makes of a record. */
    public enum SweepDecision {
        /** Write {@code unknown}. */
        GIVE_UP,
        /** Leave it to the next claim, and say so once. */
        REOFFER,
        /** There is nothing to notice, or it was noticed before. */
        LEAVE
    }

    /** Decides what the sweeper does with a record as its store's clock sees it now. */
    public static SweepDecision onSweep(StoredRecord record) {
        if (record.state() != State.IN_PROGRESS || !record.leaseRemaining().isZero()) {
            return SweepDecision.LEAVE;
        }
        if (!record.reexecutable()) {
            return SweepDecision.GIVE_UP;
        }
        return record.reason() == null ? SweepDecision.REOFFER : SweepDecision.LEAVE;
    }

    /** Whether it is time to ask about an unknown record. */
    public static boolean isDue(StoredRecord record) {
        return record.reconciling() != null
                && record.reconciling().nextTryAt() != null
                && !record.reconciling().nextTryAt().isAfter(record.times().asOf());
    }

    /** Whether the search for evidence about the attempt that had this lease may go on like this. */
    public static boolean mayReschedule(StoredRecord record, Lease lease, Reschedule reschedule) {
        if (record.fence() != lease.fence() || record.reconciling() == null) {
            return false;
        }
        int tries = record.reconciling().tries();
        if (reschedule instanceof Reschedule.RetryAfter again) {
            return again.tries() == tries && !record.isDeadLettered();
        }
        return !(reschedule instanceof Reschedule.DeadLetter deadLetter)
                || (deadLetter.tries() == tries && !record.isDeadLettered());
    }

    /** What the audit says of a reschedule. */
    public static Change changeOf(Reschedule reschedule) {
        if (reschedule instanceof Reschedule.RetryAfter) {
            return Change.RESCHEDULED;
        }
        return reschedule instanceof Reschedule.DeadLetter ? Change.DEAD_LETTERED : Change.REQUEUED;
    }

    /** Whether an entry of this kind may be added to the audit of the attempt that had this lease. */
    public static boolean mayAnnotate(StoredRecord record, Lease lease, Change change) {
        return record.fence() == lease.fence()
                && switch (change) {
                    case VIEWED -> record.state() == State.COMPLETED || record.state() == State.UNKNOWN;
                    case REPLAY_REFUSED -> record.state() == State.COMPLETED;
                    case PROPOSED -> record.state() == State.UNKNOWN;
                    default -> false;
                };
    }

    /** Whether a person may let the record expire before its retention ends. */
    public static boolean mayForget(StoredRecord record, Lease lease) {
        return record.fence() == lease.fence()
                && (record.state() == State.COMPLETED || record.state() == State.FAILED_RETRYABLE);
    }

    /** Whether the holder of this lease may renew it, or record a step under it. */
    public static boolean mayRenew(StoredRecord record, Lease lease) {
        return record.fence() == lease.fence() && record.state() == State.IN_PROGRESS;
    }

    /** The state that an outcome leads to. */
    public static State stateOf(Outcome outcome) {
        if (outcome instanceof Outcome.Completed) {
            return State.COMPLETED;
        }
        return outcome instanceof Outcome.NotExecuted ? State.FAILED_RETRYABLE : State.UNKNOWN;
    }
}

package dev.semel.model;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.StoredRecord.Times;
import dev.semel.spi.Changes;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A record without its clock: of every point in time, only whether it has passed.
 *
 * <p>{@link #at} makes a real record of it, at a moment that is always the same; {@link #of} takes one apart again.
 * Fences are compared with the record's only, so the record always has {@link #FENCE}, and a holder of another one has
 * {@link #OLD_FENCE}.
 *
 * @param state null when there is no record
 * @param leased whether the lease has not expired yet
 * @param noticed whether the sweeper has noticed that it has
 * @param kept whether retention has not passed yet
 * @param settleable whether the outcome has been unknown for the settle window
 */
record Entry(
        @Nullable State state,
        boolean leased,
        boolean noticed,
        boolean kept,
        int tries,
        NextTry nextTry,
        boolean settleable) {

    enum NextTry {
        NONE,
        DUE,
        LATER,
        DEAD_LETTERED
    }

    static final Entry ABSENT = new Entry(null, false, false, false, 0, NextTry.NONE, false);

    static final Identity IDENTITY = Identity.of("acme", "order-42");
    static final Fingerprint FINGERPRINT = new Fingerprint("v1:0");
    static final String OPERATION = "charge";
    static final String HOLDER = "holder of the lease";
    static final Response RECEIPT = Response.of(new byte[] {1});

    static final long OLD_FENCE = 1;
    static final long FENCE = 2;

    static final Instant NOW = Instant.EPOCH.plus(Duration.ofDays(365));
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration SETTLE_WINDOW = Duration.ofMinutes(5);
    static final Duration RETENTION = Duration.ofDays(7);

    static Lease lease(boolean current) {
        return new Lease(IDENTITY, current ? FENCE : OLD_FENCE);
    }

    static Entry of(@Nullable StoredRecord record) {
        if (record == null) {
            return ABSENT;
        }
        Reconciling reconciling = record.reconciling();
        boolean inProgress = record.state() == State.IN_PROGRESS;
        return new Entry(
                record.state(),
                !record.leaseRemaining().isZero(),
                inProgress && record.reason() != null,
                !record.retentionRemaining().isZero(),
                reconciling == null ? 0 : reconciling.tries(),
                nextTry(record, reconciling),
                reconciling != null && record.unknownFor().compareTo(SETTLE_WINDOW) >= 0);
    }

    private static NextTry nextTry(StoredRecord record, @Nullable Reconciling reconciling) {
        if (reconciling == null) {
            return NextTry.NONE;
        }
        if (reconciling.isDeadLettered()) {
            return NextTry.DEAD_LETTERED;
        }
        return Transitions.isDue(record) ? NextTry.DUE : NextTry.LATER;
    }

    /** The real record, as a store reads it now; null when there is none. */
    @Nullable
    StoredRecord at(boolean reexecutable) {
        if (state == null) {
            return null;
        }
        Instant start = Instant.EPOCH;
        boolean settled = state != State.IN_PROGRESS && state != State.UNKNOWN;
        Times times = new Times(
                NOW,
                start,
                start,
                start,
                null,
                state == State.IN_PROGRESS ? until(leased, LEASE) : null,
                settled ? until(kept, RETENTION) : null);
        StoredRecord stored = new StoredRecord(
                IDENTITY,
                OPERATION,
                FINGERPRINT,
                state,
                FENCE,
                1,
                reexecutable,
                HOLDER,
                times,
                state == State.COMPLETED ? RECEIPT : null,
                noticed ? StoredRecord.LEASE_EXPIRED : null,
                null,
                Steps.NONE,
                reconciling());
        return Changes.asOf(stored, NOW);
    }

    private static Instant until(boolean ahead, Duration duration) {
        return ahead ? NOW.plus(duration) : NOW;
    }

    private @Nullable Reconciling reconciling() {
        Instant since = settleable ? NOW.minus(SETTLE_WINDOW) : NOW;
        return switch (nextTry) {
            case NONE -> null;
            case DUE -> new Reconciling(since, tries, NOW);
            case LATER -> new Reconciling(since, tries, NOW.plus(LEASE));
            case DEAD_LETTERED -> new Reconciling(since, tries, null);
        };
    }

    boolean isSettled() {
        return state != State.IN_PROGRESS && state != State.UNKNOWN;
    }

    Entry withTries(int other) {
        return new Entry(state, leased, noticed, kept, other, nextTry, settleable);
    }

    Entry leaseExpired() {
        return new Entry(state, false, noticed, kept, tries, nextTry, settleable);
    }

    Entry retentionPassed() {
        return new Entry(state, leased, noticed, false, tries, nextTry, settleable);
    }

    Entry nextTryDue() {
        return new Entry(state, leased, noticed, kept, tries, NextTry.DUE, settleable);
    }

    Entry windowPassed() {
        return new Entry(state, leased, noticed, kept, tries, nextTry, true);
    }

    /** Less than 2^10. */
    int code() {
        int code = state == null ? 7 : state.ordinal();
        code = code << 1 | (leased || kept ? 1 : 0);
        code = code << 1 | (noticed || settleable ? 1 : 0);
        return (code << 3 | tries) << 2 | nextTry.ordinal();
    }

    @Override
    public String toString() {
        if (state == null) {
            return "no record";
        }
        return switch (state) {
            case IN_PROGRESS -> "in_progress, lease " + (leased ? "live" : "expired") + (noticed ? ", re-offered" : "");
            case COMPLETED, FAILED_RETRYABLE -> state.label() + (kept ? "" : ", past retention");
            case UNKNOWN ->
                "unknown, " + (settleable ? "window passed" : "within window")
                        + (nextTry == NextTry.DEAD_LETTERED ? ", dead-lettered" : "");
            case EXPIRED -> state.label();
        };
    }
}

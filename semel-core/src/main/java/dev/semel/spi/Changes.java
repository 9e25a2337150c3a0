package dev.semel.spi;

import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.StoredRecord.Times;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What each transition makes of a record: pure functions for stores that write whole records.
 *
 * <p>{@link Transitions} decides whether; this says what. The moment is the one at which the record was last looked at,
 * by its store's clock: {@link #asOf} sets it.
 */
public final class Changes {

    private Changes() {}

    /** A record as it reads at this moment: settled and past its retention means expired, with no response. */
    public static StoredRecord asOf(StoredRecord stored, Instant now) {
        Times times = stored.times();
        Draft draft = new Draft(stored);
        draft.times = new Times(
                now,
                times.createdAt(),
                times.updatedAt(),
                times.claimedAt(),
                times.doubtSince(),
                times.lockedUntil(),
                times.expiresAt());
        if (times.expiresAt() != null && !times.expiresAt().isAfter(now)) {
            draft.state = State.EXPIRED;
            draft.response = null;
            draft.steps = Steps.NONE;
        }
        return draft.record();
    }

    /** What a granted claim makes of an absent or expired record. */
    public static StoredRecord granted(ClaimRequest request, long fence, Instant now) {
        Times times = new Times(now, now, now, now, null, now.plus(request.lease()), null);
        return granted(request, fence, 1, times, Steps.NONE);
    }

    /** What a granted claim makes of a record that may be tried again; an attempt that has vanished leaves a doubt. */
    public static StoredRecord grantedAgain(StoredRecord current, ClaimRequest request, long fence) {
        Times before = current.times();
        Instant now = before.asOf();
        boolean firstDoubt = current.state() == State.IN_PROGRESS && before.doubtSince() == null;
        Times times = new Times(
                now,
                before.createdAt(),
                now,
                now,
                firstDoubt ? before.claimedAt() : before.doubtSince(),
                now.plus(request.lease()),
                null);
        return granted(request, fence, current.attempts() + 1, times, current.steps());
    }

    private static StoredRecord granted(ClaimRequest request, long fence, int attempts, Times times, Steps steps) {
        return new StoredRecord(
                request.identity(),
                request.operation(),
                request.fingerprint(),
                State.IN_PROGRESS,
                fence,
                attempts,
                request.reexecutable(),
                request.holder(),
                times,
                null,
                null,
                null,
                steps,
                null);
    }

    /** What becomes of a record whose lease has expired and that no claim may take over. */
    public static StoredRecord givenUp(StoredRecord current) {
        return settled(current, new Outcome.Unknown(StoredRecord.LEASE_EXPIRED), Duration.ZERO, null);
    }

    /** What becomes of a record whose lease has expired and that the next claim may take over. */
    public static StoredRecord reoffered(StoredRecord current) {
        Draft draft = new Draft(current).touched();
        draft.reason = StoredRecord.LEASE_EXPIRED;
        return draft.record();
    }

    /** What a recorded step makes of a record in progress. */
    public static StoredRecord stepped(StoredRecord current, String name, Response result) {
        Draft draft = new Draft(current).touched();
        draft.steps = current.steps().plus(Steps.of(name, result));
        draft.times = withoutDoubt(draft.times);
        return draft.record();
    }

    /** What the holder's outcome makes of a record; the late answer to an unknown one is its own evidence. */
    public static StoredRecord settled(StoredRecord current, Outcome outcome, Duration retention) {
        Evidence evidence = current.state() == State.UNKNOWN ? Transitions.LATE_ANSWER : null;
        return settled(current, outcome, retention, evidence);
    }

    /** What evidence makes of an unknown record: nothing is in doubt any more. */
    public static StoredRecord reconciled(
            StoredRecord current, Outcome outcome, Duration retention, Evidence evidence) {
        Draft draft = new Draft(settled(current, outcome, retention, evidence));
        draft.times = withoutDoubt(draft.times);
        return draft.record();
    }

    private static StoredRecord settled(
            StoredRecord current, Outcome outcome, Duration retention, @Nullable Evidence evidence) {
        Times before = current.times();
        Instant now = before.asOf();
        boolean unknown = outcome instanceof Outcome.Unknown;
        Draft draft = new Draft(current);
        draft.state = Transitions.stateOf(outcome);
        draft.times = new Times(
                now,
                before.createdAt(),
                now,
                before.claimedAt(),
                before.doubtSince(),
                null,
                unknown ? null : later(now, before.createdAt()).plus(retention));
        draft.response = outcome instanceof Outcome.Completed completed ? completed.response() : null;
        draft.reason = reasonOf(outcome);
        draft.evidence = evidence;
        draft.steps = draft.state == State.COMPLETED ? Steps.NONE : current.steps();
        draft.reconciling = unknown ? new Reconciling(now, 0, now) : null;
        return draft.record();
    }

    /** A clock that was set back since the claim must not end a record before the time at which its key is refused as late. */
    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    private static Times withoutDoubt(Times times) {
        return new Times(
                times.asOf(),
                times.createdAt(),
                times.updatedAt(),
                times.claimedAt(),
                null,
                times.lockedUntil(),
                times.expiresAt());
    }

    /** What a heartbeat makes of a record in progress. */
    public static StoredRecord renewed(StoredRecord current, Duration lease) {
        Times before = current.times();
        Instant now = before.asOf();
        Draft draft = new Draft(current);
        draft.times =
                new Times(now, before.createdAt(), now, before.claimedAt(), before.doubtSince(), now.plus(lease), null);
        draft.reason = null;
        return draft.record();
    }

    /** What becomes of an unknown record that a reconciler takes. */
    public static StoredRecord taken(StoredRecord current, Reconciling reconciling, Duration hold) {
        Instant now = current.times().asOf();
        Draft draft = new Draft(current).touched();
        draft.reconciling = new Reconciling(reconciling.since(), reconciling.tries() + 1, now.plus(hold));
        return draft.record();
    }

    /** How the search for evidence goes on. */
    public static StoredRecord rescheduled(StoredRecord current, Reconciling reconciling, Reschedule reschedule) {
        Instant now = current.times().asOf();
        Draft draft = new Draft(current).touched();
        if (reschedule instanceof Reschedule.RetryAfter again) {
            draft.reconciling = new Reconciling(reconciling.since(), reconciling.tries(), now.plus(again.delay()));
        } else if (reschedule instanceof Reschedule.DeadLetter) {
            draft.reconciling = new Reconciling(reconciling.since(), reconciling.tries(), null);
        } else {
            draft.reconciling = new Reconciling(reconciling.since(), 0, now);
        }
        return draft.record();
    }

    /** What soft pruning makes of a record past its retention. */
    public static StoredRecord markedExpired(StoredRecord current) {
        Draft draft = new Draft(current).touched();
        draft.state = State.EXPIRED;
        draft.response = null;
        draft.steps = Steps.NONE;
        return draft.record();
    }

    /** What becomes of a settled record that a person lets expire now. */
    public static StoredRecord forgotten(StoredRecord current) {
        Times before = current.times();
        Instant now = before.asOf();
        Draft draft = new Draft(markedExpired(current));
        draft.reason = StoredRecord.FORGOTTEN;
        draft.times = new Times(now, before.createdAt(), now, before.claimedAt(), before.doubtSince(), null, now);
        return draft.record();
    }

    /** The short code that an outcome leaves for operators. */
    public static @Nullable String reasonOf(Outcome outcome) {
        if (outcome instanceof Outcome.NotExecuted notExecuted) {
            return notExecuted.reason();
        }
        return outcome instanceof Outcome.Unknown unknown ? unknown.reason() : null;
    }

    /** A record on its way to the next. */
    private static final class Draft {

        private final StoredRecord base;
        private State state;
        private Times times;
        private @Nullable Response response;
        private @Nullable String reason;
        private @Nullable Evidence evidence;
        private Steps steps;
        private @Nullable Reconciling reconciling;

        Draft(StoredRecord base) {
            this.base = base;
            state = base.state();
            times = base.times();
            response = base.response();
            reason = base.reason();
            evidence = base.evidence();
            steps = base.steps();
            reconciling = base.reconciling();
        }

        Draft touched() {
            times = new Times(
                    times.asOf(),
                    times.createdAt(),
                    times.asOf(),
                    times.claimedAt(),
                    times.doubtSince(),
                    times.lockedUntil(),
                    times.expiresAt());
            return this;
        }

        StoredRecord record() {
            return new StoredRecord(
                    base.identity(),
                    base.operation(),
                    base.fingerprint(),
                    state,
                    base.fence(),
                    base.attempts(),
                    base.reexecutable(),
                    base.holder(),
                    times,
                    response,
                    reason,
                    evidence,
                    steps,
                    reconciling);
        }
    }
}

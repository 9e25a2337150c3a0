package dev.semel.spi;

import dev.semel.Evidence;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
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
        StoredRecord.Times times = stored.times();
        StoredRecord.Times seen = new StoredRecord.Times(
                now, times.createdAt(), times.updatedAt(), times.lockedUntil(), times.expiresAt());
        boolean expired = times.expiresAt() != null && !times.expiresAt().isAfter(now);
        return expired
                ? with(stored, State.EXPIRED, seen, new Result(null, stored.reason(), stored.evidence()))
                : with(stored, stored.state(), seen, resultOf(stored));
    }

    /** What a granted claim makes of an absent or expired record. */
    public static StoredRecord granted(ClaimRequest request, long fence, Instant now) {
        return granted(request, fence, now, now, 1);
    }

    /** What a granted claim makes of a record that may be tried again. */
    public static StoredRecord grantedAgain(StoredRecord current, ClaimRequest request, long fence) {
        StoredRecord.Times times = current.times();
        return granted(request, fence, times.asOf(), times.createdAt(), current.attempts() + 1);
    }

    private static StoredRecord granted(
            ClaimRequest request, long fence, Instant now, Instant createdAt, int attempts) {
        return new StoredRecord(
                request.identity(),
                request.operation(),
                request.fingerprint(),
                State.IN_PROGRESS,
                fence,
                attempts,
                request.reexecutable(),
                request.holder(),
                new StoredRecord.Times(now, createdAt, now, now.plus(request.lease()), null),
                null,
                null,
                null);
    }

    /** What becomes of a record whose lease has expired. */
    public static StoredRecord givenUp(StoredRecord current) {
        return settled(current, new Outcome.Unknown(Transitions.LEASE_EXPIRED), Duration.ZERO, null);
    }

    /** What the holder's outcome makes of a record; the late answer to an unknown one is its own evidence. */
    public static StoredRecord settled(StoredRecord current, Outcome outcome, Duration retention) {
        Evidence evidence = current.state() == State.UNKNOWN ? Transitions.LATE_ANSWER : null;
        return settled(current, outcome, retention, evidence);
    }

    /** What evidence makes of an unknown record. */
    public static StoredRecord reconciled(
            StoredRecord current, Outcome outcome, Duration retention, Evidence evidence) {
        return settled(current, outcome, retention, evidence);
    }

    private static StoredRecord settled(
            StoredRecord current, Outcome outcome, Duration retention, @Nullable Evidence evidence) {
        Instant now = current.times().asOf();
        Response response = outcome instanceof Outcome.Completed completed ? completed.response() : null;
        Instant expiresAt = outcome instanceof Outcome.Unknown ? null : now.plus(retention);
        return with(
                current,
                Transitions.stateOf(outcome),
                new StoredRecord.Times(now, current.times().createdAt(), now, null, expiresAt),
                new Result(response, reasonOf(outcome), evidence));
    }

    /** What a heartbeat makes of a record in progress. */
    public static StoredRecord renewed(StoredRecord current, Duration lease) {
        Instant now = current.times().asOf();
        return with(
                current,
                current.state(),
                new StoredRecord.Times(now, current.times().createdAt(), now, now.plus(lease), null),
                resultOf(current));
    }

    /** What soft pruning makes of a record past its retention. */
    public static StoredRecord markedExpired(StoredRecord current) {
        Instant now = current.times().asOf();
        return with(
                current,
                State.EXPIRED,
                new StoredRecord.Times(
                        now,
                        current.times().createdAt(),
                        now,
                        null,
                        current.times().expiresAt()),
                new Result(null, current.reason(), current.evidence()));
    }

    /** The short code that an outcome leaves for operators. */
    public static @Nullable String reasonOf(Outcome outcome) {
        if (outcome instanceof Outcome.NotExecuted notExecuted) {
            return notExecuted.reason();
        }
        return outcome instanceof Outcome.Unknown unknown ? unknown.reason() : null;
    }

    private record Result(
            @Nullable Response response,
            @Nullable String reason,
            @Nullable Evidence evidence) {}

    private static Result resultOf(StoredRecord record) {
        return new Result(record.response(), record.reason(), record.evidence());
    }

    private static StoredRecord with(StoredRecord current, State state, StoredRecord.Times times, Result result) {
        return new StoredRecord(
                current.identity(),
                current.operation(),
                current.fingerprint(),
                state,
                current.fence(),
                current.attempts(),
                current.reexecutable(),
                current.holder(),
                times,
                result.response(),
                result.reason(),
                result.evidence());
    }
}

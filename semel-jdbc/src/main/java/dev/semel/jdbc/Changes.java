package dev.semel.jdbc;

import dev.semel.Evidence;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Records as they are after a transition, at the moment their store last looked at its clock. */
final class Changes {

    private Changes() {}

    /** What a claim that is granted makes of an absent or expired record. */
    static StoredRecord granted(ClaimRequest request, long fence, Instant at) {
        return granted(request, fence, at, at, 1);
    }

    /** What a claim that is granted makes of a record that may be tried again. */
    static StoredRecord grantedAgain(StoredRecord current, ClaimRequest request, long fence) {
        StoredRecord.Times times = current.times();
        return granted(request, fence, times.asOf(), times.createdAt(), current.attempts() + 1);
    }

    private static StoredRecord granted(ClaimRequest request, long fence, Instant at, Instant createdAt, int attempts) {
        return new StoredRecord(
                request.identity(),
                request.operation(),
                request.fingerprint(),
                State.IN_PROGRESS,
                fence,
                attempts,
                request.reexecutable(),
                request.holder(),
                new StoredRecord.Times(at, createdAt, at, at.plus(request.lease()), null),
                null,
                null,
                null);
    }

    /** What becomes of a record whose lease has expired. */
    static StoredRecord givenUp(StoredRecord current) {
        return settled(current, new Outcome.Unknown(Transitions.LEASE_EXPIRED), Duration.ZERO, null);
    }

    /** What an outcome makes of a record. */
    static StoredRecord settled(
            StoredRecord current, Outcome outcome, Duration retention, @Nullable Evidence evidence) {
        Instant at = current.times().asOf();
        Response response = outcome instanceof Outcome.Completed completed ? completed.response() : null;
        Instant expiresAt = outcome instanceof Outcome.Unknown ? null : at.plus(retention);
        return with(
                current,
                Transitions.stateOf(outcome),
                new StoredRecord.Times(at, current.times().createdAt(), at, null, expiresAt),
                new Result(response, reasonOf(outcome), evidence));
    }

    /** What a heartbeat makes of a record in progress. */
    static StoredRecord renewed(StoredRecord current, Duration lease) {
        Instant at = current.times().asOf();
        return with(
                current,
                current.state(),
                new StoredRecord.Times(at, current.times().createdAt(), at, at.plus(lease), null),
                new Result(current.response(), current.reason(), current.evidence()));
    }

    /** The short code that an outcome leaves for operators. */
    static @Nullable String reasonOf(Outcome outcome) {
        if (outcome instanceof Outcome.NotExecuted notExecuted) {
            return notExecuted.reason();
        }
        return outcome instanceof Outcome.Unknown unknown ? unknown.reason() : null;
    }

    private record Result(
            @Nullable Response response,
            @Nullable String reason,
            @Nullable Evidence evidence) {}

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

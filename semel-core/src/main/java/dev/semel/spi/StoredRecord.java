package dev.semel.spi;

import dev.semel.Evidence;
import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.State;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One record as its store holds it.
 *
 * @param state as the store's clock sees it: a settled record past its retention reads as {@link State#EXPIRED}
 * @param fence of the last granted claim
 * @param attempts how many claims were granted since the record was new or expired
 * @param reexecutable whether the attempt's operation was declared re-executable when it was claimed
 * @param holder who made the last granted claim: unique to that claim
 * @param response present exactly when the state is {@link State#COMPLETED}
 * @param reason a short code for operators: why the record is not completed
 * @param evidence on which an unknown outcome was settled
 */
public record StoredRecord(
        Identity identity,
        String operation,
        Fingerprint fingerprint,
        State state,
        long fence,
        int attempts,
        boolean reexecutable,
        String holder,
        Times times,
        @Nullable Response response,
        @Nullable String reason,
        @Nullable Evidence evidence) {

    /**
     * Points in time, all by the store's clock.
     *
     * @param asOf when the store looked
     * @param lockedUntil when the lease ends; null unless in progress
     * @param expiresAt when retention ends; null while in progress or unknown, which never expire
     */
    public record Times(
            Instant asOf,
            Instant createdAt,
            Instant updatedAt,
            @Nullable Instant lockedUntil,
            @Nullable Instant expiresAt) {}

    public StoredRecord withResponse(Response other) {
        return new StoredRecord(
                identity,
                operation,
                fingerprint,
                state,
                fence,
                attempts,
                reexecutable,
                holder,
                times,
                other,
                reason,
                evidence);
    }

    public Lease lease() {
        return new Lease(identity, fence);
    }

    /** What is left of the lease; zero when it has expired or there is none. */
    public Duration leaseRemaining() {
        return remaining(times.lockedUntil());
    }

    /** What is left of the retention; zero when it has passed or has not begun. */
    public Duration retentionRemaining() {
        return remaining(times.expiresAt());
    }

    private Duration remaining(@Nullable Instant end) {
        if (end == null || !end.isAfter(times.asOf())) {
            return Duration.ZERO;
        }
        return Duration.between(times.asOf(), end);
    }
}

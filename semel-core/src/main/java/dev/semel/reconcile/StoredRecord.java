package dev.semel.reconcile;

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
 * @param holder who made the last granted claim: unique to that claim; {@link Holder} says what is in it
 * @param response present exactly when the state is {@link State#COMPLETED}
 * @param reason a short code for operators: why the record is not completed
 * @param evidence on which an unknown outcome was settled
 * @param steps what attempts have recorded on the way; kept until the record is completed or starts afresh
 * @param reconciling how the search for evidence goes; present exactly when the state is {@link State#UNKNOWN}
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
        @Nullable Evidence evidence,
        Steps steps,
        @Nullable Reconciling reconciling) {

    /** The reason on record when a lease expired, so that it is unknown how far its attempt got. */
    public static final String LEASE_EXPIRED = "in_progress_lock_expired";

    /**
     * Points in time, all by the store's clock.
     *
     * @param asOf when the store looked
     * @param claimedAt when the last claim was granted
     * @param doubtSince since when an attempt that has vanished may have begun the first step that is not recorded; null
     *     when there is no such doubt
     * @param lockedUntil when the lease ends; null unless in progress
     * @param expiresAt when retention ends; null while in progress or unknown, which never expire
     */
    public record Times(
            Instant asOf,
            Instant createdAt,
            Instant updatedAt,
            Instant claimedAt,
            @Nullable Instant doubtSince,
            @Nullable Instant lockedUntil,
            @Nullable Instant expiresAt) {}

    /**
     * The search for evidence about an unknown outcome.
     *
     * @param since when the outcome became unknown
     * @param tries how often a reconciler has taken the record
     * @param nextTryAt when it is time to ask again; null when the record is dead-lettered and waits for a person
     */
    public record Reconciling(
            Instant since, int tries, @Nullable Instant nextTryAt) {

        public boolean isDeadLettered() {
            return nextTryAt == null;
        }
    }

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
                evidence,
                steps,
                reconciling);
    }

    public Lease lease() {
        return new Lease(identity, fence);
    }

    /** What the caller of the last granted claim said of its request; null when it said nothing. */
    public @Nullable String request() {
        return Holder.requestIn(holder);
    }

    /** What is left of the lease; zero when it has expired or there is none. */
    public Duration leaseRemaining() {
        return remaining(times.lockedUntil());
    }

    /** What is left of the retention; zero when it has passed or has not begun. */
    public Duration retentionRemaining() {
        return remaining(times.expiresAt());
    }

    /** How long the outcome has been unknown; zero when it is not. */
    public Duration unknownFor() {
        return reconciling == null ? Duration.ZERO : Duration.between(reconciling.since(), times.asOf());
    }

    /** Whether no resolver is asked any more and a person has to decide. */
    public boolean isDeadLettered() {
        return reconciling != null && reconciling.isDeadLettered();
    }

    private Duration remaining(@Nullable Instant end) {
        if (end == null || !end.isAfter(times.asOf())) {
            return Duration.ZERO;
        }
        return Duration.between(times.asOf(), end);
    }
}

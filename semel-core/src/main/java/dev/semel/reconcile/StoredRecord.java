package dev.semel.reconcile;

import dev.semel.Fingerprint;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.State;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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

    /** The reason of a record that a person has let expire: its key may be used again, also where late retries are refused. */
    public static final String FORGOTTEN = "forgotten";

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

    /** This record without its response and steps, as lists show it. */
    public StoredRecord summary() {
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
                null,
                reason,
                evidence,
                Steps.NONE,
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

    /** How long ago the record was last changed: for a completed one, how long ago it was completed. */
    public Duration unchangedFor() {
        Duration length = Duration.between(times.updatedAt(), times.asOf());
        return length.isNegative() ? Duration.ZERO : length;
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

    /**
     * The text that names who made a claim: a name that no other claim has; behind a space, where the caller described it, the
     * request that it was made for; and behind a line feed, where mismatches are explained, a sealed outline of that request.
     *
     * <p>Stores keep it as one text in the record, so that no store needs a place of its own for its parts. The entries of the
     * record's history have it without the outline.
     */
    public static final class Holder {

        /** How many bytes of UTF-8 every store holds. */
        public static final int MOST_BYTES = 1000;

        private static final char BEFORE_REQUEST = ' ';
        private static final char BEFORE_OUTLINE = '\n';

        private Holder() {}

        /** The text of a claim's holder. */
        public static String text(String name, @Nullable String request) {
            return request == null ? name : name + BEFORE_REQUEST + request;
        }

        /** The text of a claim's holder, with the outline of its request. */
        public static String text(String name, @Nullable String request, String outline) {
            return text(name, request) + BEFORE_OUTLINE + outline;
        }

        /** The name alone. */
        public static String nameIn(String holder) {
            String audited = withoutOutline(holder);
            int space = audited.indexOf(BEFORE_REQUEST);
            return space < 0 ? audited : audited.substring(0, space);
        }

        /** What the caller said of the request; null when it said nothing. */
        public static @Nullable String requestIn(String holder) {
            String audited = withoutOutline(holder);
            int space = audited.indexOf(BEFORE_REQUEST);
            return space < 0 ? null : audited.substring(space + 1);
        }

        /** The outline of the request; null when there is none. */
        public static @Nullable String outlineIn(String holder) {
            int line = holder.indexOf(BEFORE_OUTLINE);
            return line < 0 ? null : holder.substring(line + 1);
        }

        /** The text as it is in the entries of a history. */
        public static String withoutOutline(String holder) {
            int line = holder.indexOf(BEFORE_OUTLINE);
            return line < 0 ? holder : holder.substring(0, line);
        }
    }

    /**
     * The recorded steps of a record: opaque bytes to a store, which only ever appends to them.
     *
     * <p>Each step is its name and its result, both preceded by their lengths.
     */
    public static final class Steps {

        public static final Steps NONE = new Steps(new byte[0]);

        private final byte[] bytes;

        private Steps(byte[] bytes) {
            this.bytes = bytes;
        }

        /** Wraps the array without copying it; null, as a database has it, is none. */
        public static Steps of(byte @Nullable [] bytes) {
            return bytes == null || bytes.length == 0 ? NONE : new Steps(bytes);
        }

        /** One step alone: what a store appends. */
        public static Steps of(String name, Response result) {
            byte[] label = name.getBytes(StandardCharsets.UTF_8);
            return new Steps(ByteBuffer.allocate(2 * Integer.BYTES + label.length + result.size())
                    .putInt(label.length)
                    .put(label)
                    .putInt(result.size())
                    .put(result.bytes())
                    .array());
        }

        /** The array itself, not a copy: never change it. */
        public byte[] bytes() {
            return bytes;
        }

        public boolean isEmpty() {
            return bytes.length == 0;
        }

        public Steps plus(Steps more) {
            byte[] all = Arrays.copyOf(bytes, bytes.length + more.bytes.length);
            System.arraycopy(more.bytes, 0, all, bytes.length, more.bytes.length);
            return new Steps(all);
        }

        /** The names of the recorded steps, in their order. */
        public List<String> names() {
            List<String> names = new ArrayList<>();
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                names.add(new String(next(rest), StandardCharsets.UTF_8));
                next(rest);
            }
            return names;
        }

        /** The result of the step with this name; a step that was recorded twice has the later one. */
        public Optional<Response> find(String name) {
            Response found = null;
            ByteBuffer rest = ByteBuffer.wrap(bytes);
            while (rest.hasRemaining()) {
                String label = new String(next(rest), StandardCharsets.UTF_8);
                byte[] result = next(rest);
                if (label.equals(name)) {
                    found = Response.of(result);
                }
            }
            return Optional.ofNullable(found);
        }

        private static byte[] next(ByteBuffer rest) {
            byte[] part = new byte[rest.getInt()];
            rest.get(part);
            return part;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Steps that && Arrays.equals(bytes, that.bytes);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }

        /** Says how much is recorded, never what. */
        @Override
        public String toString() {
            return "steps of " + bytes.length + " bytes";
        }
    }
}

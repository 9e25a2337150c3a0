package dev.semel;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import javax.crypto.Mac;
import org.jspecify.annotations.Nullable;

/**
 * One request to have an operation done once: which operation, whose key, and what the request means.
 *
 * @param sameAs recognizes a fingerprint that was stored under another version of the same meaning
 * @param description of the request, for operators; see {@link #describedAs}
 * @param guard asked before the caller gets a recorded response; null where every caller of the scope may have it
 * @param details what the fingerprint was made of, where a mismatch may be explained; see {@link #detailedBy}
 * @param firstSentAt when the client sent its first request with this key, by the client's clock; null where that is not
 *     known, or the key itself says it; see {@link #firstSentAt(Instant)}
 */
public record Intent(
        Operation operation,
        Identity identity,
        Fingerprint fingerprint,
        Predicate<Fingerprint> sameAs,
        @Nullable String description,
        @Nullable Guard guard,
        @Nullable Details details,
        @Nullable Instant firstSentAt) {

    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    public Intent {
        if (firstSentAt != null && (firstSentAt.isBefore(EARLIEST) || firstSentAt.isAfter(LATEST))) {
            throw new IllegalArgumentException(
                    "firstSentAt is " + firstSentAt + ": give a time between the years 1970 and 9999");
        }
    }

    /** Enough for a method and most paths; every claim stores it. */
    private static final int LONGEST_DESCRIPTION = 200;

    public static Intent of(Operation operation, Scope scope, Key key, Fingerprint fingerprint) {
        return new Intent(
                operation, new Identity(scope, key), fingerprint, fingerprint::matches, null, null, null, null);
    }

    /** The same intent, which also accepts records whose fingerprint this test recognizes. */
    public Intent sameAs(Predicate<Fingerprint> test) {
        return new Intent(operation, identity, fingerprint, test, description, guard, details, firstSentAt);
    }

    /**
     * The same intent, with a short description of the request, such as {@code POST /payments/42}. It is stored in clear with
     * every claim that is granted, and shown to operators; nothing is decided by it. What is not fit to be printed on one
     * line is replaced, and what is too long is cut off.
     */
    public Intent describedAs(String request) {
        String line = Text.onOneLine(request.strip(), LONGEST_DESCRIPTION);
        return new Intent(
                operation, identity, fingerprint, sameAs, line.isEmpty() ? null : line, guard, details, firstSentAt);
    }

    /**
     * The same intent, first sent at this time by the client's clock: every retry must say the same. It counts in place of a
     * time in the key. {@link Operation.LateRetries} says what it is for.
     */
    public Intent firstSentAt(@Nullable Instant time) {
        return new Intent(operation, identity, fingerprint, sameAs, description, guard, details, time);
    }

    /**
     * The same intent, with what its fingerprint was made of. An engine that explains mismatches stores keyed digests of it with
     * every claim that is granted, and says with them in what another request differs. Every other engine ignores it.
     */
    public Intent detailedBy(Details newDetails) {
        return new Intent(operation, identity, fingerprint, sameAs, description, guard, newDetails, firstSentAt);
    }

    /** The same intent under another identity, as a store has it. */
    public Intent identifiedBy(Identity stored) {
        return new Intent(operation, stored, fingerprint, sameAs, description, guard, details, firstSentAt);
    }

    /** What counts in a request, part by part, so that two requests can be compared when one of them is gone. */
    public interface Details {

        /**
         * Returns an outline of this request: names and structure, and a short digest of each value; no value itself.
         *
         * @param keyed makes the digests; its key is that of one record, so that equal values in two records differ
         * @param mostBytes how long the outline may be; what does not fit is outlined more coarsely
         * @return empty where not even the coarsest outline fits
         */
        byte[] outline(Mac keyed, int mostBytes);

        /** Says in what this request differs from the one that was outlined with the same key. */
        Refusal.Mismatch differencesFrom(byte[] outline, Mac keyed);
    }

    /** The same intent, whose caller gets a recorded response only where the guard's check allows it. */
    public Intent guardedBy(@Nullable Guard newGuard) {
        return new Intent(operation, identity, fingerprint, sameAs, description, newGuard, details, firstSentAt);
    }

    /**
     * The check that is asked before a recorded response is given to a caller.
     *
     * <ol>
     *   <li>It is asked for each replay, also from a near-cache and after a wait, and before the status of a key is shown. It is
     *       not asked before an execution: whether a caller may execute is decided by the application's own authorization.
     *   <li>It sees the request, the caller and what is on record, never the recorded response.
     *   <li>{@code false} refuses the replay. A check that throws, or takes longer than {@link #LONGEST}, refuses it too, for
     *       now; nothing is executed in either case.
     * </ol>
     */
    @FunctionalInterface
    public interface ReplayCheck {

        /** The longest that a caller waits for a check; clients seldom wait longer for an answer. */
        Duration LONGEST = Duration.ofSeconds(10);

        /** Whether the caller may have the response. It must not block, unless {@link Replay#mayBlock} says that it may. */
        CompletionStage<Boolean> mayReplay(Replay replay);

        /** A check that answers at once, on the calling thread. */
        static ReplayCheck of(Predicate<Replay> check) {
            return replay -> CompletableFuture.completedFuture(check.test(replay));
        }

        /**
         * A check that blocks: it runs on the request's own thread where that may wait, and on the executor where the request is
         * on an event loop.
         */
        static ReplayCheck blocking(Predicate<Replay> check, Executor executor) {
            return replay -> replay.mayBlock()
                    ? CompletableFuture.completedFuture(check.test(replay))
                    : CompletableFuture.supplyAsync(() -> check.test(replay), executor);
        }

        /** A check that allows what both allow; the other one is asked only if this one allows. */
        default ReplayCheck and(ReplayCheck other) {
            return replay -> mayReplay(replay)
                    .thenCompose(
                            allowed -> allowed ? other.mayReplay(replay) : CompletableFuture.completedFuture(false));
        }
    }

    /**
     * A caller that would get a recorded response.
     *
     * @param operation on record; that of the request where {@code recorded} is null
     * @param identity scope and key, as they are stored
     * @param request what the transport hands to checks, such as a {@code dev.semel.http.RequestView}
     * @param principal the name of the authenticated caller; null for an anonymous one
     * @param recorded null where the check is asked before the store is, so that its answer cannot tell whether a key exists, and
     *     where it is asked whether a mismatch may be explained
     * @param mayBlock whether this is the request's own thread, which may wait
     */
    public record Replay(
            String operation,
            Identity identity,
            Object request,
            @Nullable String principal,
            @Nullable Recorded recorded,
            boolean mayBlock) {

        /** The request, if it is of this type. */
        public <T> Optional<T> request(Class<T> type) {
            return type.isInstance(request) ? Optional.of(type.cast(request)) : Optional.empty();
        }
    }

    /**
     * What is on record for a key, without the response.
     *
     * @param age since the record was completed; zero while it is not
     */
    public record Recorded(long fence, Duration age) {}

    /** A check, with the request and the caller that it is asked about. */
    public record Guard(
            ReplayCheck check, Object request, @Nullable String principal) {}
}

package dev.semel;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why a claim was refused: the request neither executed nor got a recorded response. A refusal changes nothing. */
public sealed interface Refusal {

    /** Another attempt is running. */
    record InProgress(Duration retryAfter) implements Refusal {

        /** What a duplicate is asked to wait: most operations end sooner, and asking more often gains nothing. */
        public static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    }

    /**
     * The key was used before for a request that meant something else.
     *
     * @param differences in what the two requests differ, without a value of either; empty where that is not known, is not
     *     told, or was asked for too often
     * @param more whether there are more differences than are listed
     */
    record Mismatch(List<Difference> differences, boolean more) implements Refusal {

        /** A mismatch that is not explained. */
        public Mismatch() {
            this(List.of(), false);
        }

        public Mismatch {
            differences = List.copyOf(differences);
        }

        /**
         * One thing in which two requests differ.
         *
         * @param part of the request, such as {@code body}, {@code query}, {@code method} or {@code header X-Tenant}
         * @param pointer the JSON Pointer (RFC 6901) of the value in the body; null where the part differs as a whole
         */
        public record Difference(String part, @Nullable String pointer, Kind kind) {}

        /** How a value of this request compares with that of the first request. */
        public enum Kind {
            /** Both requests have it, with different values. */
            CHANGED,
            /** The first request did not have it. */
            ADDED,
            /** The first request had it, this one does not. */
            MISSING
        }
    }

    /** The outcome of an earlier attempt is unknown, and no evidence has settled it yet. */
    record OutcomeUnknown(long fence) implements Refusal {}

    /**
     * The caller may not have the response that is on record.
     *
     * @param decided false where the check of the caller's rights failed, so that the same request may be allowed later
     */
    record ReplayForbidden(boolean decided) implements Refusal {}

    /**
     * The retention of this key has passed, so that it may have been executed before: it is never executed again. The key says
     * its time, or the store has kept that it was used.
     */
    record KeyExpired() implements Refusal {}

    /** The key says a time that the store's clock has not reached yet, by more than what clocks may differ. */
    record KeyFromFuture() implements Refusal {}
}

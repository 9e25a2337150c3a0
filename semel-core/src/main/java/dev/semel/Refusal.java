package dev.semel;

import java.time.Duration;

/** Why a claim was refused: the request neither executed nor got a recorded response. A refusal changes nothing. */
public sealed interface Refusal {

    /** Another attempt is running. */
    record InProgress(Duration retryAfter) implements Refusal {

        /** What a duplicate is asked to wait: most operations end sooner, and asking more often gains nothing. */
        public static final Duration RETRY_AFTER = Duration.ofSeconds(1);
    }

    /** The key was used before for a request that meant something else. */
    record Mismatch() implements Refusal {}

    /** The outcome of an earlier attempt is unknown, and no evidence has settled it yet. */
    record OutcomeUnknown(long fence) implements Refusal {}
}

package dev.semel;

import java.time.Duration;

/** Why a request neither executed nor got a recorded response. None of these changes anything. */
public sealed interface Refusal extends Claim {

    /** Another attempt is running. */
    record InProgress(Duration retryAfter) implements Refusal {}

    /** The key was used before for a request that meant something else. */
    record Mismatch() implements Refusal {}

    /** Nobody knows yet whether an earlier attempt had its effect. */
    record OutcomeUnknown(long fence) implements Refusal {}
}

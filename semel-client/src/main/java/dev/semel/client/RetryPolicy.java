package dev.semel.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long and how often a client retries.
 *
 * <p>Before each retry, the client pauses for a random part of a delay, from zero to all of it ("full jitter"), so that clients
 * that failed together do not retry together. The delay doubles from the first to the longest. If the server sends {@code
 * Retry-After}, the client pauses for that long plus a random part of the first delay.
 *
 * @param deadline for all attempts and the pauses between them
 * @param attemptTimeout for one attempt, up to the end of its response; a shorter timeout of the request itself also applies
 * @param firstDelay before the second attempt
 * @param longestDelay between two attempts
 */
public record RetryPolicy(Duration deadline, Duration attemptTimeout, Duration firstDelay, Duration longestDelay) {

    /** A restart of a service, or a failover of its database, usually takes less than a minute. */
    public static final Duration DEFAULT_DEADLINE = Duration.ofMinutes(2);

    /** Longer than most operations take. One that takes longer is sent again, and is then in progress. */
    public static final Duration DEFAULT_ATTEMPT_TIMEOUT = Duration.ofSeconds(30);

    /** Short: a lost connection can be retried soon. */
    public static final Duration DEFAULT_FIRST_DELAY = Duration.ofMillis(250);

    /** Short compared with the deadline, so that the end of an outage is noticed in time. */
    public static final Duration DEFAULT_LONGEST_DELAY = Duration.ofSeconds(10);

    /** A year: any longer is a mistake. */
    private static final Duration MAX = Duration.ofDays(365);

    /** More doublings would overflow nanoseconds. */
    private static final int MAX_DOUBLINGS = 30;

    public static final RetryPolicy DEFAULT =
            new RetryPolicy(DEFAULT_DEADLINE, DEFAULT_ATTEMPT_TIMEOUT, DEFAULT_FIRST_DELAY, DEFAULT_LONGEST_DELAY);

    public RetryPolicy {
        require("deadline", deadline);
        require("attempt timeout", attemptTimeout);
        require("first delay", firstDelay);
        require("longest delay", longestDelay);
    }

    private static void require(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(MAX) > 0) {
            throw new IllegalArgumentException(
                    "the " + what + " is " + value + ", it must be positive and at most " + MAX);
        }
    }

    public RetryPolicy deadline(Duration newDeadline) {
        return new RetryPolicy(newDeadline, attemptTimeout, firstDelay, longestDelay);
    }

    public RetryPolicy attemptTimeout(Duration newAttemptTimeout) {
        return new RetryPolicy(deadline, newAttemptTimeout, firstDelay, longestDelay);
    }

    public RetryPolicy firstDelay(Duration newFirstDelay) {
        return new RetryPolicy(deadline, attemptTimeout, newFirstDelay, longestDelay);
    }

    public RetryPolicy longestDelay(Duration newLongestDelay) {
        return new RetryPolicy(deadline, attemptTimeout, firstDelay, newLongestDelay);
    }

    /** Returns the pause after this many attempts, without {@code Retry-After}. */
    Duration pauseAfter(int attempts, RandomGenerator random) {
        long delay = firstDelay.toNanos();
        long longest = longestDelay.toNanos();
        for (int i = 1; i < attempts && i < MAX_DOUBLINGS && delay < longest; i++) {
            delay = Math.min(longest, delay) * 2;
        }
        return part(Math.min(longest, delay), random);
    }

    /** Returns the pause with {@code Retry-After}. */
    Duration pauseOf(Duration retryAfter, RandomGenerator random) {
        return retryAfter.plus(part(Math.min(longestDelay.toNanos(), firstDelay.toNanos()), random));
    }

    private static Duration part(long nanos, RandomGenerator random) {
        return Duration.ofNanos(random.nextLong(nanos + 1));
    }
}

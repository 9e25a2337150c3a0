package dev.semel.client;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * For how long, and how often, a client goes on asking.
 *
 * <p>Before an attempt is repeated, the client waits for a random part of a delay, anything from none of it to all of it
 * ("full jitter"), so that clients that failed together do not come back together. The delay doubles from the first to the
 * longest. Where a server says how long to wait, the client waits that long and a random part of the first delay.
 *
 * @param deadline for everything: all attempts, and the pauses between them
 * @param attemptTimeout for one attempt, up to the end of its response; a shorter timeout of the request itself holds, too
 * @param firstDelay before the second attempt
 * @param longestDelay between two attempts
 */
public record RetryPolicy(Duration deadline, Duration attemptTimeout, Duration firstDelay, Duration longestDelay) {

    /** A restart of a service, or a failover of its database, is over in a minute. */
    public static final Duration DEFAULT_DEADLINE = Duration.ofMinutes(2);

    /** Longer than most operations take. One that takes longer is asked for again, and is then found in progress. */
    public static final Duration DEFAULT_ATTEMPT_TIMEOUT = Duration.ofSeconds(30);

    /** A lost connection is no reason to keep anybody waiting. */
    public static final Duration DEFAULT_FIRST_DELAY = Duration.ofMillis(250);

    /** Short against the deadline, so that an outage that ends is noticed in time. */
    public static final Duration DEFAULT_LONGEST_DELAY = Duration.ofSeconds(10);

    /** A year: any longer is a mistake. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** A delay does not double more often than this: it would not fit into nanoseconds. */
    private static final int MOST_DOUBLINGS = 30;

    public static final RetryPolicy DEFAULT =
            new RetryPolicy(DEFAULT_DEADLINE, DEFAULT_ATTEMPT_TIMEOUT, DEFAULT_FIRST_DELAY, DEFAULT_LONGEST_DELAY);

    public RetryPolicy {
        require("deadline", deadline);
        require("attempt timeout", attemptTimeout);
        require("first delay", firstDelay);
        require("longest delay", longestDelay);
    }

    private static void require(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the " + what + " is " + value + ", it must be more than nothing and at most " + LONGEST);
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

    /** How long to wait after this many attempts, when the server does not say. */
    Duration pauseAfter(int attempts, RandomGenerator random) {
        long delay = firstDelay.toNanos();
        long longest = longestDelay.toNanos();
        for (int i = 1; i < attempts && i < MOST_DOUBLINGS && delay < longest; i++) {
            delay = Math.min(longest, delay) * 2;
        }
        return part(Math.min(longest, delay), random);
    }

    /** How long to wait when the server says how long. */
    Duration pauseOf(Duration retryAfter, RandomGenerator random) {
        return retryAfter.plus(part(Math.min(longestDelay.toNanos(), firstDelay.toNanos()), random));
    }

    private static Duration part(long nanos, RandomGenerator random) {
        return Duration.ofNanos(random.nextLong(nanos + 1));
    }
}

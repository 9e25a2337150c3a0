package dev.semel.reconcile;

import java.time.Duration;

/**
 * How long to go on asking about unknown outcomes of an operation, and when to believe that nothing happened.
 *
 * <p>Before a try that failed is repeated, it waits between half of a delay and all of it. The delay doubles from the first
 * to the longest.
 *
 * @param settleWindow for how long "not found" may only mean "not yet": longer than a request can be on its way plus the
 *     longest pause of a process beyond its lease. Zero only where the resolver itself makes sure that it can no longer
 *     happen, for instance by cancelling the key at the provider
 * @param firstDelay before the second try
 * @param longestDelay between two tries
 * @param maxTries after so many without an answer the record is left to a person
 */
public record ReconcilePolicy(Duration settleWindow, Duration firstDelay, Duration longestDelay, int maxTries) {

    /** Twice the quarter of an hour for which Linux goes on sending a request that is not acknowledged. */
    public static final Duration DEFAULT_SETTLE_WINDOW = Duration.ofMinutes(30);

    /** Most providers can answer at once, and most of the others a few seconds later. */
    public static final Duration DEFAULT_FIRST_DELAY = Duration.ofSeconds(10);

    /** A question an hour is no load for any provider, and an answer that took hours may take one more. */
    public static final Duration DEFAULT_LONGEST_DELAY = Duration.ofHours(1);

    /** With the delays above these take 10 to 21 hours: an outage over night is waited out, the next day a person looks. */
    public static final int DEFAULT_MAX_TRIES = 30;

    /** Stores count in milliseconds. */
    private static final Duration SHORTEST_DELAY = Duration.ofMillis(1);

    /** A year: any longer is a mistake. */
    private static final Duration LONGEST = Duration.ofDays(365);

    public static final ReconcilePolicy DEFAULT =
            new ReconcilePolicy(DEFAULT_SETTLE_WINDOW, DEFAULT_FIRST_DELAY, DEFAULT_LONGEST_DELAY, DEFAULT_MAX_TRIES);

    public ReconcilePolicy {
        require("settle window", settleWindow, Duration.ZERO);
        require("first delay", firstDelay, SHORTEST_DELAY);
        require("longest delay", longestDelay, SHORTEST_DELAY);
        if (maxTries < 1) {
            throw new IllegalArgumentException("at most " + maxTries + " tries, there must be at least one");
        }
    }

    private static void require(String what, Duration value, Duration least) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    "the " + what + " is " + value + ", it must be between " + least + " and " + LONGEST);
        }
    }

    public ReconcilePolicy settleWindow(Duration newSettleWindow) {
        return new ReconcilePolicy(newSettleWindow, firstDelay, longestDelay, maxTries);
    }

    public ReconcilePolicy firstDelay(Duration newFirstDelay) {
        return new ReconcilePolicy(settleWindow, newFirstDelay, longestDelay, maxTries);
    }

    public ReconcilePolicy longestDelay(Duration newLongestDelay) {
        return new ReconcilePolicy(settleWindow, firstDelay, newLongestDelay, maxTries);
    }

    public ReconcilePolicy maxTries(int newMaxTries) {
        return new ReconcilePolicy(settleWindow, firstDelay, longestDelay, newMaxTries);
    }

    /** The delay after this many tries. */
    Duration delayAfter(int tries) {
        return backoff().delay(tries - 1);
    }

    private Backoff backoff() {
        return new Backoff(firstDelay, longestDelay);
    }

    /**
     * Checks the values against each other, which are set one after the other.
     *
     * @param operation for the message
     * @throws IllegalArgumentException when the delays do not fit, or the tries can be over before "not found" counts
     */
    public void requireConsistent(String operation) {
        if (firstDelay.compareTo(longestDelay) > 0) {
            throw new IllegalArgumentException("operation " + operation + ": the first delay (" + firstDelay
                    + ") is longer than the longest (" + longestDelay + ")");
        }
        Duration shortestSearch = backoff().least(maxTries - 1);
        if (shortestSearch.compareTo(settleWindow) < 0) {
            throw new IllegalArgumentException("operation " + operation + ": " + maxTries + " tries can be over after "
                    + shortestSearch + ", before \"not found\" counts (settle window " + settleWindow
                    + "): raise maxTries or longestDelay");
        }
    }
}

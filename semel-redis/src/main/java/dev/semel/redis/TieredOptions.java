package dev.semel.redis;

import java.time.Duration;

/**
 * How a tiered store uses the Redis in front of it.
 *
 * @param timeout how long a claim waits for Redis before it asks the database instead
 * @param maxAge how long a copy stays at most; what is deleted from the database before its retention ends is replayed
 *     until then
 */
public record TieredOptions(Duration timeout, Duration maxAge) {

    /** Many times what a healthy Redis takes, and what a request can lose without anybody noticing. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(50);

    /** Retries come within minutes, those of a batch that failed at night within the day. */
    private static final Duration DEFAULT_MAX_AGE = Duration.ofDays(1);

    public static final TieredOptions DEFAULT = new TieredOptions(DEFAULT_TIMEOUT, DEFAULT_MAX_AGE);

    public TieredOptions {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout must be positive");
        }
        if (maxAge.isNegative() || maxAge.isZero()) {
            throw new IllegalArgumentException("maxAge must be positive");
        }
    }

    public TieredOptions withTimeout(Duration other) {
        return new TieredOptions(other, maxAge);
    }

    public TieredOptions withMaxAge(Duration other) {
        return new TieredOptions(timeout, other);
    }
}

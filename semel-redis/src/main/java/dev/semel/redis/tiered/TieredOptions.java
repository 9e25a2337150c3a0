package dev.semel.redis.tiered;

import java.time.Duration;

/**
 * How a tiered store uses the Redis in front of it.
 *
 * @param timeout how long a claim waits for Redis before it uses the database instead
 * @param maxAge the longest TTL of a copy; a record that is deleted from the database before its retention ends can be
 *     replayed for this long
 */
public record TieredOptions(Duration timeout, Duration maxAge) {

    /** Many times the latency of a healthy Redis, and too short to be noticed in a request. */
    private static final Duration DEFAULT_TIMEOUT = Duration.ofMillis(50);

    /** Most retries follow within minutes; those of a failed nightly batch within the day. */
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

package dev.semel.redis.tiered;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A circuit breaker: it opens after a few failures in a row, and then lets one call at a time through after each pause, until
 * one succeeds.
 */
final class CircuitBreaker {

    /** One failure can be chance; this many are an outage, and have cost no more than this many timeouts. */
    private static final int FAILURES = 3;

    /** One call a second costs nothing, and a recovered server is in use again within it. */
    static final Duration PAUSE = Duration.ofSeconds(1);

    private final LongSupplier nanos;
    private volatile int failures;
    private volatile long nextNanos;

    CircuitBreaker(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Whether every call is let through. */
    boolean isClosed() {
        return failures < FAILURES;
    }

    /** Whether the caller may make a call; it reports the result with {@link #onSuccess} or {@link #onFailure}. */
    boolean tryAcquire() {
        return isClosed() || tryAcquireWhileOpen();
    }

    private synchronized boolean tryAcquireWhileOpen() {
        long now = nanos.getAsLong();
        if (now - nextNanos < 0) {
            return false;
        }
        nextNanos = now + PAUSE.toNanos();
        return true;
    }

    /** Returns whether this success has closed the breaker. */
    boolean onSuccess() {
        return failures > 0 && reset();
    }

    private synchronized boolean reset() {
        boolean wasOpen = !isClosed();
        failures = 0;
        return wasOpen;
    }

    /** Returns whether this failure has opened the breaker. */
    synchronized boolean onFailure() {
        if (!isClosed()) {
            return false;
        }
        if (failures + 1 == FAILURES) {
            nextNanos = nanos.getAsLong() + PAUSE.toNanos();
        }
        failures = failures + 1;
        return !isClosed();
    }
}

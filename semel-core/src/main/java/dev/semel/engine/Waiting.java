package dev.semel.engine;

import dev.semel.reconcile.Backoff;
import java.time.Duration;
import java.util.Optional;

/** How long a duplicate of a running request goes on asking; it holds no connection between two questions. */
final class Waiting {

    /** The first question comes soon, for operations of a few milliseconds; later ones must not load the store. */
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(10), Duration.ofMillis(500));

    private final long endNanos;
    private int round;

    Waiting(Duration longest, long nowNanos) {
        endNanos = nowNanos + longest.toNanos();
    }

    /** Returns the pause before the next question, or empty when the time is up. */
    Optional<Duration> next(long nowNanos) {
        long leftNanos = endNanos - nowNanos;
        if (leftNanos <= 0) {
            return Optional.empty();
        }
        Duration pause = BACKOFF.delay(round++);
        return Optional.of(pause.toNanos() < leftNanos ? pause : Duration.ofNanos(leftNanos));
    }
}

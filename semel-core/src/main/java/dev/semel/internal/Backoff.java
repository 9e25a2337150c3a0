package dev.semel.internal;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Delays that double from a first one up to a longest one, each with jitter so that waiters do not move in step. */
record Backoff(Duration first, Duration longest) {

    Duration delay(int round) {
        long ceiling = longest.toNanos();
        long doubled = round > 30 ? ceiling : Math.min(ceiling, first.toNanos() << round);
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(doubled / 2, doubled + 1));
    }
}

package dev.semel.server.check.wire;

import java.time.Duration;

/** The clock of a check: it measures how long answers take, and pauses between requests. */
public final class CheckTime {

    private final long start = System.nanoTime();

    public Duration now() {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    public void pause(Duration length) {
        if (length.isNegative() || length.isZero()) {
            return;
        }
        try {
            Thread.sleep(length.toMillis(), length.toNanosPart() % 1_000_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedCheckException();
        }
    }
}

package dev.semel.memory;

import java.time.Instant;
import java.time.InstantSource;

/** The time when this object was made, plus what has elapsed since: immune to changes of the machine's clock. */
final class ElapsedTime implements InstantSource {

    private final Instant start = InstantSource.system().instant();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}

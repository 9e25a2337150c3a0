package dev.semel.server.conformance;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The clocks of the server: when requests came, and the dates in answers. */
final class ConformanceTime {

    private final InstantSource wall = InstantSource.system();
    private final long startNanos = System.nanoTime();

    /** The time since the server started. */
    Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    Instant now() {
        return wall.instant();
    }
}

package dev.semel.admin.access;

import java.time.Instant;

/** The time of this process, for rates, sessions, limits and people who read. No decision about a record rests on it. */
@FunctionalInterface
public interface AdminTime {

    /** Elapsed time, from any beginning. */
    long nanos();

    /** The time of day, for people to read. */
    default Instant instant() {
        return Instant.now();
    }

    static AdminTime system() {
        return System::nanoTime;
    }
}

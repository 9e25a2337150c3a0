package dev.semel.client;

import java.time.Duration;
import java.time.Instant;

/** A client's clocks and pauses; tests replace them. */
public interface ClientTime {

    /** Reads a monotonic clock, for deadlines. */
    long nanos();

    /** Reads a wall clock: for the time in keys, for {@code Retry-After} with a date, and for the age of journaled intents. */
    Instant now();

    /** Runs a task after a pause between two attempts, on a thread where it may block. */
    Pause pause(Duration length, Runnable then);

    /** A pause that can be cancelled. */
    @FunctionalInterface
    interface Pause {

        /** Prevents the task from running, unless it has started. */
        void cancel();
    }
}

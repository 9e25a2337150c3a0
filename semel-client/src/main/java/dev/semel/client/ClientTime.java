package dev.semel.client;

import java.time.Duration;
import java.time.Instant;

/** The time of a client, which tests replace. */
public interface ClientTime {

    /** A monotonic clock, for deadlines. */
    long nanos();

    /** A wall clock: for the time in keys, for {@code Retry-After} with a date, and for the age of journaled intents. */
    Instant now();

    /** Runs a task after a pause between two attempts, on a thread that may be kept for long. */
    Pause pause(Duration length, Runnable then);

    /** A pause that can be cut short. */
    @FunctionalInterface
    interface Pause {

        /** Sees to it that the task does not run, unless it has begun. */
        void cancel();
    }
}

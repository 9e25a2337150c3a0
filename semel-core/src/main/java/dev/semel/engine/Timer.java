package dev.semel.engine;

import java.time.Duration;

/**
 * The engine's own sense of time: elapsed time only, for heartbeats, for waiting, and for how long a near-cache may answer.
 * No decision to execute, and no change of a record, rests on it.
 */
public interface Timer {

    /** Nanoseconds since some fixed moment; never goes back. */
    long nanos();

    /** Runs the task once after the delay, on a thread where it may make store calls. */
    Cancellable after(Duration delay, Runnable task);

    /** Blocks the calling thread for the delay. */
    void pause(Duration delay) throws InterruptedException;

    /** A task that has been scheduled. */
    @FunctionalInterface
    interface Cancellable {
        void cancel();
    }
}

package dev.semel.testsupport.servers;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waiting for a condition that a server reaches by itself. */
final class Await {

    /** Long enough for a busy machine: it only ends a test that has failed. */
    static final Duration LONGEST = Duration.ofMinutes(2);

    private static final Duration PAUSE = Duration.ofMillis(5);

    private Await() {}

    /**
     * Returns when the condition holds.
     *
     * @param what is waited for, as the message says when it does not happen
     * @throws IllegalStateException when it does not hold within {@link #LONGEST}, or throws
     */
    static void until(String what, Callable<Boolean> condition) {
        until(what, PAUSE, condition);
    }

    /** The same, with this pause between two looks at the condition. */
    static void until(String what, Duration pause, Callable<Boolean> condition) {
        long start = System.nanoTime();
        try {
            while (!condition.call()) {
                if (System.nanoTime() - start > LONGEST.toNanos()) {
                    throw new IllegalStateException("did not happen within " + LONGEST + ": " + what);
                }
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for: " + what, e);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("failed while waiting for: " + what, e);
        }
    }

    /** Returns when the process has ended. */
    static void end(ProcessHandle process) {
        until("end of process " + process.pid(), () -> !process.isAlive());
    }
}

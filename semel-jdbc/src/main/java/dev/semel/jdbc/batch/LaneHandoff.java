package dev.semel.jdbc.batch;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The time in which a thread keeps its lane and completes the calls of a batch, which runs code of their callers.
 *
 * <p>That code should not block, but may, perhaps on an answer that only this lane can give. So a second thread stands by,
 * and takes the lane over.
 */
final class LaneHandoff {

    /** Completing a hundred calls takes less; and no caller notices a lane that stands still so long. */
    private static final long LOOK_EVERY_NANOS = 250_000;

    /** A thread that reads from a socket looks as if it ran: after five milliseconds its lane is taken all the same. */
    private static final int MOST_LOOKS = 20;

    private final Thread holder = Thread.currentThread();
    private final AtomicBoolean over = new AtomicBoolean();

    /** Keeps the lane with its holder. False when the standby has it. */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    /** Waits until the holder has ended it or is blocked. True when the calling thread has the lane now. */
    boolean takeOver() {
        for (int look = 0; look < MOST_LOOKS && !over.get() && !isHolderBlocked(); look++) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return end();
    }

    private boolean isHolderBlocked() {
        Thread.State state = holder.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING || state == Thread.State.BLOCKED;
    }
}

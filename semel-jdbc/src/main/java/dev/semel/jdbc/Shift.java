package dev.semel.jdbc;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The time in which a thread keeps a lane and runs code of callers, whom it tells their answers.
 *
 * <p>That code should not block, and somebody will write one that does, perhaps on an answer that only this lane can bring. So
 * another thread stands by.
 */
final class Shift {

    /** Telling a hundred callers takes less; and a lane that stands still so long is nothing that a caller would notice. */
    private static final long LOOK_EVERY_NANOS = 250_000;

    /** Code that reads from a socket looks as if it ran: after five milliseconds it is held up all the same. */
    private static final int MOST_LOOKS = 20;

    private final Thread holder;
    private final int calls;
    private final AtomicBoolean over = new AtomicBoolean();

    Shift(Thread holder, int calls) {
        this.holder = holder;
        this.calls = calls;
    }

    /** How many callers are told in it. */
    int calls() {
        return calls;
    }

    /** Ends it. False when it was over already. */
    boolean end() {
        return over.compareAndSet(false, true);
    }

    /** Waits until it has ended, or the one who holds it is held up. True when the lane is the caller's now. */
    boolean takeOver() {
        for (int look = 0; look < MOST_LOOKS && !over.get() && !isHeldUp(); look++) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
        return end();
    }

    private boolean isHeldUp() {
        Thread.State state = holder.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING || state == Thread.State.BLOCKED;
    }
}

package dev.semel.jdbc;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** How many calls of a {@link Batcher} wait and how many are on their way, and what follows for lanes and batches. */
final class Crowd {

    /** Half of a lane's even share is worth a flight of its own while others are on their way. */
    private static final int CRUMB = 2;

    /** To begin a statement of many rows costs as much as so many rows: fewer are not worth a flight next to others. */
    private static final int FLIGHT = 16;

    /** After a dozen small batches the largest of before is forgotten: a crowd that went is not yet a crowd that is gone. */
    private static final int FORGETTING = 4;

    private final BatchLimits limits;
    private final AtomicInteger waitingCalls = new AtomicInteger();
    private final AtomicLong waitingBytes = new AtomicLong();
    private final AtomicInteger flyingCalls = new AtomicInteger();

    /** The largest batch lately; several lanes may write it at once, and nobody minds. */
    private volatile int recentBatch;

    /** How large answers were lately: as much is expected of every call, lest a batch brings more than there is room for. */
    private volatile long recentAnswer;

    Crowd(BatchLimits limits) {
        this.limits = limits;
    }

    /** Whether there is room for one more to wait. One call is always admitted, however large. */
    boolean admit(long bytes) {
        int calls = waitingCalls.incrementAndGet();
        long all = waitingBytes.addAndGet(bytes);
        if (calls == 1 || (calls <= limits.waitingCalls() && all <= limits.waitingBytes())) {
            return true;
        }
        leave(bytes);
        return false;
    }

    private void leave(long bytes) {
        waitingBytes.addAndGet(-bytes);
        waitingCalls.decrementAndGet();
    }

    /** One who waited is on the way now. */
    void depart(long bytes) {
        flyingCalls.incrementAndGet();
        leave(bytes);
    }

    /** So many are told, or about to be. */
    void land(int calls) {
        flyingCalls.addAndGet(-calls);
    }

    /** Notes a batch that is on its way. */
    void flies(int calls) {
        recentBatch = Math.max(calls, recentBatch - recentBatch / FORGETTING - 1);
    }

    /** Notes how many bytes the answers of a batch had. A few large ones among many must not make batches small. */
    void brought(long bytes, int calls) {
        recentAnswer = Math.max(bytes / calls, recentAnswer - recentAnswer / FORGETTING);
    }

    /** How many bytes an answer will probably take. */
    long expectedAnswer() {
        return recentAnswer;
    }

    int waiting() {
        return waitingCalls.get();
    }

    /** Whether those who wait get a lane while so many are busy. The first lane is always theirs. */
    boolean hasLane(int busy) {
        if (busy == 0) {
            return true;
        }
        int everybody = everybody();
        if (everybody <= limits.few()) {
            return busy < limits.lanesForFew();
        }
        int waiting = waitingCalls.get();
        return busy < limits.lanes() && waiting >= FLIGHT && waiting * CRUMB * limits.lanes() >= everybody;
    }

    /** Most calls of the next batch: an even share, if that is worth a flight. */
    int share() {
        int share = (everybody() + limits.lanes() - 1) / limits.lanes();
        return Math.min(limits.calls(), Math.max(share, FLIGHT));
    }

    /** How many callers there are; those who were told and come back are missed only until somebody forgets them. */
    private int everybody() {
        return Math.max(waitingCalls.get() + flyingCalls.get(), recentBatch);
    }
}

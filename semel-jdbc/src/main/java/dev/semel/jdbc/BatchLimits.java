package dev.semel.jdbc;

import dev.semel.Outcome;

/**
 * How much a {@link Batcher} does and keeps at a time.
 *
 * @param lanes how many batches are on their way at once when there are many calls
 * @param lanesForFew how many when there are few
 * @param few how many calls, on their way or waiting, are few
 * @param calls most calls in a batch
 * @param bytes most bytes in a batch of more than one call
 * @param waitingCalls most calls that wait; further ones fail at once
 * @param waitingBytes most bytes that wait; further ones fail at once
 */
record BatchLimits(int lanes, int lanesForFew, int few, int calls, long bytes, int waitingCalls, long waitingBytes) {

    /** Statements of so few callers are as fast side by side as one that they share, and none of them waits. */
    private static final int FEW = 8;

    private static final int LANES_FOR_FEW = 4;

    /** A statement of a few milliseconds; larger ones gain little and make everybody in them wait longer. */
    private static final int CALLS = 512;

    /** Large responses travel in company, but not so many that a server or driver runs short of memory. */
    private static final long BYTES = 4L << 20;

    /** Some seconds of work for a busy server: who comes later than that has better be told to come back. */
    private static final int WAITING_CALLS = 20_000;

    private static final long WAITING_BYTES = 64L << 20;

    /** What a question weighs besides a response: keys and fingerprints are short. */
    static final long QUESTION_BYTES = 256;

    /** What a settlement weighs. */
    static long bytesOf(Outcome outcome) {
        return QUESTION_BYTES
                + (outcome instanceof Outcome.Completed completed
                        ? completed.response().size()
                        : 0);
    }

    /** One batch at a time, however few the calls. */
    static BatchLimits oneLane() {
        return new BatchLimits(1, 1, 0, CALLS, BYTES, WAITING_CALLS, WAITING_BYTES);
    }

    static BatchLimits ofLanes(int lanes) {
        return new BatchLimits(lanes, Math.max(lanes, LANES_FOR_FEW), FEW, CALLS, BYTES, WAITING_CALLS, WAITING_BYTES);
    }
}

package dev.semel.jdbc.batch;

import dev.semel.Outcome;

/**
 * How much a {@link Batcher} does and keeps at a time.
 *
 * @param lanes most batches at once while there are many calls
 * @param lanesForFew most batches at once while there are few
 * @param few how many calls, running or waiting, are few
 * @param calls most calls in a batch
 * @param bytes most bytes in a batch of more than one call
 * @param waitingCalls most calls that wait; further ones fail at once
 * @param waitingBytes most bytes that wait; further ones fail at once
 */
public record BatchLimits(
        int lanes, int lanesForFew, int few, int calls, long bytes, int waitingCalls, long waitingBytes) {

    /** Statements of so few callers are as fast side by side as one that they share, and none of them waits. */
    private static final int FEW = 8;

    private static final int LANES_FOR_FEW = 4;

    /** A statement of a few milliseconds; larger ones gain little and delay every caller in them. */
    private static final int CALLS = 512;

    /** Large responses share a statement, but not so many that a server or driver runs short of memory. */
    private static final long BYTES = 4L << 20;

    /** Some seconds of work for a busy server: later callers had better retry. */
    private static final int WAITING_CALLS = 20_000;

    private static final long WAITING_BYTES = 64L << 20;

    /** The size of a question without a response: keys and fingerprints are short. */
    public static final long QUESTION_BYTES = 256;

    /** The size of a settlement. */
    public static long bytesOf(Outcome outcome) {
        return QUESTION_BYTES
                + (outcome instanceof Outcome.Completed completed
                        ? completed.response().size()
                        : 0);
    }

    /** One batch at a time, however few the calls. */
    public static BatchLimits oneLane() {
        return new BatchLimits(1, 1, 0, CALLS, BYTES, WAITING_CALLS, WAITING_BYTES);
    }

    public static BatchLimits ofLanes(int lanes) {
        return new BatchLimits(lanes, Math.max(lanes, LANES_FOR_FEW), FEW, CALLS, BYTES, WAITING_CALLS, WAITING_BYTES);
    }
}

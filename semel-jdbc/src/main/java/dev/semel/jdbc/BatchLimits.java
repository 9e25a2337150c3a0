package dev.semel.jdbc;

/**
 * How much a {@link Batcher} does and keeps at a time.
 *
 * @param lanes how many batches are on their way at once
 * @param calls most calls in a batch
 * @param bytes most bytes in a batch of more than one call
 * @param waitingCalls most calls that wait; further ones fail at once
 * @param waitingBytes most bytes that wait; further ones fail at once
 */
record BatchLimits(int lanes, int calls, long bytes, int waitingCalls, long waitingBytes) {

    /** A statement of a few milliseconds; larger ones gain little and make everybody in them wait longer. */
    private static final int CALLS = 512;

    /** Large responses travel in company, but not so many that a server or driver runs short of memory. */
    private static final long BYTES = 4L << 20;

    /** Some seconds of work for a busy server: who comes later than that has better be told to come back. */
    private static final int WAITING_CALLS = 20_000;

    private static final long WAITING_BYTES = 64L << 20;

    static BatchLimits ofLanes(int lanes) {
        return new BatchLimits(lanes, CALLS, BYTES, WAITING_CALLS, WAITING_BYTES);
    }
}

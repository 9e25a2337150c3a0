package dev.semel.examples.orderflow;

/** Where a process is killed on an order's way, in the order of that way. */
enum Stage {
    /** The request's key is claimed, and nothing else is written. */
    CLAIMED,
    /** Order, message and answer are written, and not committed. */
    WRITTEN,
    /** They are committed, and the client has no answer. */
    COMMITTED,
    /** The relay has read the message, and the broker has not got it. */
    TAKEN,
    /** The broker has confirmed the message, and it is still in the outbox. */
    PUBLISHED,
    /** The consumer has claimed the message, and no mail is sent. */
    RECEIVED,
    /** The mail is sent, and nothing says so. */
    MAILED,
    /** The message is recorded as handled, and its offset is not committed. */
    SETTLED;

    /** Whether the client has got its answer when this stage is reached. */
    boolean isAnswered() {
        return compareTo(COMMITTED) > 0;
    }
}

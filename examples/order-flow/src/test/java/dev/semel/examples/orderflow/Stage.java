package dev.semel.examples.orderflow;

/** The stages of an order at which a process is killed, in their order. */
enum Stage {
    /** The request's key is claimed, and nothing else is written. */
    CLAIMED,
    /** Order, message and answer are written, and not committed. */
    WRITTEN,
    /** They are committed, and the client has no answer. */
    COMMITTED,
    /** The relay has read the message, and not published it. */
    TAKEN,
    /** The broker has confirmed the message, and it is still in the outbox. */
    PUBLISHED,
    /** The consumer has claimed the message, and no mail is sent. */
    RECEIVED,
    /** The mail is sent, and not recorded. */
    MAILED,
    /** The message is recorded as handled, and its offset is not committed. */
    SETTLED;

    /** Whether the client has its answer when this stage is reached. */
    boolean isAnswered() {
        return compareTo(COMMITTED) > 0;
    }
}

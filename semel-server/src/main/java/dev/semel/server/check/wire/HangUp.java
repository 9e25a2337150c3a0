package dev.semel.server.check.wire;

/** The moment at which a client gives up. */
public enum HangUp {
    /** All of the request was sent, and nothing of the answer was read. */
    BEFORE_ANSWER,
    /** The first byte of the answer was read. */
    DURING_ANSWER,
    /** The whole answer was read; the connection is reset all the same. */
    AFTER_ANSWER
}

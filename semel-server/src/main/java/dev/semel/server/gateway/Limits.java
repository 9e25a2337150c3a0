package dev.semel.server.gateway;

/** How much of a message the gateway takes that it has no use for, or that no configuration says. */
final class Limits {

    /** As much as common servers take for all header lines; larger ones are mistakes or attacks. */
    static final int HEADER_BYTES = 32 << 10;

    /** How much of a body is still read after its answer, so that the client sees the answer. */
    static final int DISCARDED_BYTES = 8 << 20;

    private Limits() {}
}

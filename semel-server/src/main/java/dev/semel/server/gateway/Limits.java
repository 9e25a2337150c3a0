package dev.semel.server.gateway;

/** How much of an answer's head the gateway takes. */
final class Limits {

    /** As much as common servers take for all header lines; larger ones are mistakes or attacks. */
    static final int HEADER_BYTES = 32 << 10;

    private Limits() {}
}

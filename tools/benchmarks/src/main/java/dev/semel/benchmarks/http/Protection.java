package dev.semel.benchmarks.http;

/**
 * What stands before the endpoint of a {@link PaymentServer}.
 *
 * @param store the URI of its store; empty without one
 * @param upstream the port of the server that a gateway forwards to; zero without a gateway
 */
record Protection(Kind kind, String store, int upstream) {

    /** The ways of protecting an endpoint. */
    enum Kind {
        /** Nothing: every request is executed. */
        NONE,
        /** {@link HandWrittenFilter}. */
        HAND_WRITTEN,
        /** The same filter on a public library, {@link SpringKeyTable}. */
        LIBRARY,
        /** Semel's servlet filter. */
        SEMEL,
        /** The same with a near-cache. */
        NEAR_CACHE,
        /** Semel's gateway, with nothing behind it here: it forwards to another server. */
        GATEWAY
    }

    static Protection none() {
        return new Protection(Kind.NONE, "", 0);
    }

    static Protection handWritten(String store) {
        return new Protection(Kind.HAND_WRITTEN, store, 0);
    }

    static Protection library(String store) {
        return new Protection(Kind.LIBRARY, store, 0);
    }

    static Protection semel(String store) {
        return new Protection(Kind.SEMEL, store, 0);
    }

    static Protection nearCache(String store) {
        return new Protection(Kind.NEAR_CACHE, store, 0);
    }

    static Protection gateway(String store, int upstream) {
        return new Protection(Kind.GATEWAY, store, upstream);
    }

    String toLine() {
        return kind + " " + upstream + " " + store;
    }

    static Protection ofLine(String line) {
        String[] parts = line.split(" ", 3);
        return new Protection(Kind.valueOf(parts[0]), parts[2], Integer.parseInt(parts[1]));
    }
}

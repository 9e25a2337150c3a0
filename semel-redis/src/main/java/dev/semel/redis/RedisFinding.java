package dev.semel.redis;

/**
 * Something about a server that matters to whoever keeps records there.
 *
 * @param server which of them
 * @param what what was found, and what follows from it
 * @param advice what would be right; empty where all is well
 */
public record RedisFinding(String server, Weight weight, String what, String advice) {

    /** How much it matters. */
    public enum Weight {
        /** All is well. */
        FINE,
        /** Something to know, or to weigh. */
        NOTE,
        /** The server may forget what it has confirmed: a store refuses it, unless that is accepted. */
        UNSAFE,
        /** The store cannot work like this. */
        BROKEN
    }
}

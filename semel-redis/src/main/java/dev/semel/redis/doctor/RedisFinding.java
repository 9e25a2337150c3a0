package dev.semel.redis.doctor;

/**
 * A finding about a server's settings.
 *
 * @param server the name of the server
 * @param what what was found, and its consequence
 * @param advice what to do; empty where nothing is wrong
 */
public record RedisFinding(String server, Weight weight, String what, String advice) {

    /** What was found, and what to do. */
    public String text() {
        return weight == Weight.FINE ? what : what + "; " + advice;
    }

    /** How severe it is. */
    public enum Weight {
        /** Nothing is wrong. */
        FINE,
        /** A limit that the operator should be aware of. */
        NOTE,
        /** The server can lose acknowledged writes: a store refuses it, unless the user accepts that. */
        UNSAFE,
        /** A store cannot work with this server. */
        BROKEN
    }
}

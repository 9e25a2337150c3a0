package dev.semel.cassandra;

/**
 * A finding about a cluster and its settings.
 *
 * @param what what was found, and its consequence
 * @param advice what to do; empty where nothing is wrong
 */
public record CassandraFinding(Weight weight, String what, String advice) {

    /** How severe it is. */
    public enum Weight {
        /** Nothing is wrong. */
        FINE,
        /** A limit that the operator should be aware of. */
        NOTE,
        /** The cluster can lose or contradict acknowledged writes: a store refuses it, unless the user accepts that. */
        UNSAFE,
        /** A store cannot work with this. */
        BROKEN
    }

    static CassandraFinding fine(String what) {
        return new CassandraFinding(Weight.FINE, what, "");
    }
}

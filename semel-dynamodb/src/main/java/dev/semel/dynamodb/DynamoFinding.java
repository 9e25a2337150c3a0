package dev.semel.dynamodb;

/**
 * A finding about the settings of a table.
 *
 * @param what what was found, and its consequence
 * @param advice what to do; empty where nothing is wrong
 */
public record DynamoFinding(Weight weight, String what, String advice) {

    /** How severe it is. */
    public enum Weight {
        /** Nothing is wrong. */
        FINE,
        /** A limit that the operator should be aware of. */
        NOTE,
        /** The table can lose acknowledged writes: a store refuses it, unless the user accepts that. */
        UNSAFE,
        /** A store cannot work with this table. */
        BROKEN
    }

    static DynamoFinding fine(String what) {
        return new DynamoFinding(Weight.FINE, what, "");
    }
}

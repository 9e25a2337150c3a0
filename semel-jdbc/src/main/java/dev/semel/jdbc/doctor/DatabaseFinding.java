package dev.semel.jdbc.doctor;

/**
 * A finding about a database's settings.
 *
 * @param what what is set, its consequence, and what to do about it
 */
public record DatabaseFinding(Weight weight, String what) {

    /** How severe it is. */
    public enum Weight {
        /** Nothing is wrong. */
        FINE,
        /** A limit that the operator should be aware of; the store works. */
        NOTE,
        /** The database can lose acknowledged writes, or a store cannot work with it. */
        UNSAFE
    }

    static DatabaseFinding good(String what) {
        return new DatabaseFinding(Weight.FINE, what);
    }

    static DatabaseFinding note(String what) {
        return new DatabaseFinding(Weight.NOTE, what);
    }

    static DatabaseFinding bad(String what) {
        return new DatabaseFinding(Weight.UNSAFE, what);
    }
}

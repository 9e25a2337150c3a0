package dev.semel;

/** One execution under one lease, as the executing code sees it. */
public interface Attempt {

    Lease lease();

    /** The operation that is being attempted. */
    Operation operation();

    /**
     * A key to send to another service for this purpose, the same on every attempt of this intent, so that the other
     * side can recognize a repetition: 64 hex digits.
     */
    String downstreamKey(String purpose);

    /**
     * Whether this attempt still holds its lease, as far as this process knows. Long-running code checks it before each
     * effect. Once false it stays false.
     */
    boolean stillOwner();

    /** Says that whatever this attempt returns, it had no effect: the key is released for the next request. */
    void notExecuted(String reason);

    /** Says that whatever this attempt returns, nobody knows whether it had its effect: the record becomes unknown. */
    void outcomeUnknown(String reason);
}

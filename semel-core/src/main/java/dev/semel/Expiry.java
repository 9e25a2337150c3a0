package dev.semel;

/** What pruning does with a record whose retention has passed. */
public enum Expiry {
    /** Deletes it. */
    DELETE,
    /** Marks it expired, drops its response, and keeps the rest for audit. */
    MARK
}

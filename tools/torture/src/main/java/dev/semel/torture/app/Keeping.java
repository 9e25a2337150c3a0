package dev.semel.torture.app;

/** How long the record of a payment is kept, and what its key may be used for afterwards. */
public enum Keeping {
    /** For longer than any run. */
    LONG,
    /** For a short time; then the key is used again, for another payment. */
    BRIEF,
    /** For a short time; then the same payment is asked for again, and must be refused. */
    LATE
}

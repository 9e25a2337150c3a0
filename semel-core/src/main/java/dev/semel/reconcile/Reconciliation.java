package dev.semel.reconcile;

/** What became of a verdict on an unknown outcome. */
public sealed interface Reconciliation {

    /** The verdict and its evidence are on record. */
    record Accepted() implements Reconciliation {}

    /**
     * Nothing was changed: the record is not, or no longer, unknown; or it is, but about a later attempt than the one that
     * the evidence is about.
     */
    record NotUnknown(StoredRecord current) implements Reconciliation {}

    /** No record has this identity. */
    record NoSuchRecord() implements Reconciliation {}
}

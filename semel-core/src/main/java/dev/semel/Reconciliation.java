package dev.semel;

import dev.semel.spi.StoredRecord;

/** What became of a verdict on an unknown outcome. */
public sealed interface Reconciliation {

    /** The verdict and its evidence are on record. */
    record Accepted() implements Reconciliation {}

    /** The record is not, or no longer, unknown: nothing was changed. */
    record NotUnknown(StoredRecord current) implements Reconciliation {}

    /** No record has this identity. */
    record NoSuchRecord() implements Reconciliation {}
}

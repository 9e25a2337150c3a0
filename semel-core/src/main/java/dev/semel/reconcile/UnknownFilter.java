package dev.semel.reconcile;

import dev.semel.Identity;
import org.jspecify.annotations.Nullable;

/**
 * Which unknown records to list; null means all.
 *
 * @param deadLettered whether they wait for a person
 * @param after the last record of the page before
 */
public record UnknownFilter(
        @Nullable String operation,
        @Nullable Boolean deadLettered,
        @Nullable Identity after) {

    public static final UnknownFilter ALL = new UnknownFilter(null, null, null);

    /** The same filter, for what comes after this record. */
    public UnknownFilter after(Identity last) {
        return new UnknownFilter(operation, deadLettered, last);
    }

    /** Whether a record is one of these. */
    public boolean accepts(StoredRecord record) {
        return record.reconciling() != null
                && (operation == null || operation.equals(record.operation()))
                && (deadLettered == null || deadLettered == record.isDeadLettered())
                && (after == null || after.compareTo(record.identity()) < 0);
    }
}

package dev.semel.model;

import dev.semel.reconcile.StoredRecord;
import org.jspecify.annotations.Nullable;

/**
 * A change of the record by a verb of a store.
 *
 * @param fence that the writer has in hand; the record's own for a writer that reads the record first
 * @param after null when it was deleted
 */
record Write(
        By by,
        long fence,
        @Nullable StoredRecord before,
        @Nullable StoredRecord after) {

    enum By {
        CLAIM,
        HOLDER,
        EVIDENCE,
        SWEEPER,
        PRUNING
    }

    boolean byHolder() {
        return by == By.HOLDER;
    }

    boolean isGrant() {
        return by == By.CLAIM && after != null && (before == null || after.fence() != before.fence());
    }

    Entry entry() {
        return Entry.of(after);
    }
}

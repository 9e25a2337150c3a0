package dev.semel.cassandra.table;

import dev.semel.items.Codes;
import dev.semel.items.Item;
import dev.semel.reconcile.StoredRecord;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place of a row in the index: one number for what kind of candidate it is and when it is due, so that one index serves every
 * verb about many records, and no column is ever set to null.
 */
enum Place {
    /** In progress, and its expired lease was noticed: nothing looks for it. */
    NOWHERE(0),
    /** In progress, by the end of its lease. */
    LEASED(1),
    /** Unknown, by its next try. */
    UNKNOWN(2),
    /** Settled, by the end of its retention. */
    SETTLED(3),
    /** Marked by pruning or a person, by the end of its retention. */
    MARKED(4),
    /** What is left of a deleted record. */
    REMAINS(5);

    /** Microseconds since 1970 fit below until the year 4253. */
    private static final int KIND_SHIFT = 56;

    private static final long LATEST = (1L << KIND_SHIFT) - 1;

    private final long kind;

    Place(long kind) {
        this.kind = kind;
    }

    /** The first number of this kind. */
    long first() {
        return kind << KIND_SHIFT;
    }

    /** The last number of this kind. */
    long last() {
        return first() + LATEST;
    }

    /** The number of this kind at a moment; null is after all of them. */
    long at(@Nullable Instant moment) {
        return first() + (moment == null ? LATEST : Math.min(LATEST, Math.max(0, Codes.microsUp(moment))));
    }

    /** The place of an item. */
    static long of(Item item) {
        StoredRecord record = item.record();
        if (record == null) {
            return REMAINS.at(Objects.requireNonNull(item.remains()).deletedAt());
        }
        return switch (record.state()) {
            case IN_PROGRESS ->
                record.reason() == null ? LEASED.at(record.times().lockedUntil()) : NOWHERE.first();
            case UNKNOWN ->
                UNKNOWN.at(
                        record.reconciling() == null
                                ? null
                                : record.reconciling().nextTryAt());
            case COMPLETED, FAILED_RETRYABLE -> SETTLED.at(record.times().expiresAt());
            case EXPIRED -> MARKED.at(record.times().expiresAt());
        };
    }
}

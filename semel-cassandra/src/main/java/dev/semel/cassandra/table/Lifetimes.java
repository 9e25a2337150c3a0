package dev.semel.cassandra.table;

import dev.semel.items.Item;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Transitions.Deleted;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How long rows stay: those of records in progress and unknown until they are settled, all others until their TTL.
 *
 * @param keepMarked how long a record that was marked as expired stays
 * @param tombstones how long tombstones of deleted records stay; zero for none
 */
public record Lifetimes(Duration keepMarked, Duration tombstones) {

    /**
     * How long after its retention a settled record stays at least, and for how long the fence of a deleted record is kept. TTL
     * goes by the clocks of nodes: one that is behind by an hour writes a TTL that ends an hour early, and to one that is ahead
     * by an hour it has ended yet an hour earlier. Requests that a stopped node carries out late come within an hour as well.
     */
    static final Duration GRACE = Duration.ofHours(3);

    /** What Cassandra accepts: 20 years. What would stay longer stays until pruning. */
    private static final long MOST_SECONDS = 630_720_000;

    /** The TTL of a row that is written at this moment, in seconds; zero for none. */
    int ttl(Item item, Instant now) {
        StoredRecord record = item.record();
        if (record == null) {
            return seconds(longer(GRACE));
        }
        return switch (record.state()) {
            case IN_PROGRESS, UNKNOWN -> 0;
            case COMPLETED, FAILED_RETRYABLE -> {
                Instant end = Objects.requireNonNull(record.times().expiresAt());
                Duration rest = Duration.between(now, end);
                yield seconds((rest.isNegative() ? Duration.ZERO : rest).plus(longer(GRACE)));
            }
            case EXPIRED -> seconds(longer(keepMarked));
        };
    }

    private static int seconds(Duration duration) {
        long seconds = duration.toSeconds() + 1;
        return seconds > MOST_SECONDS ? 0 : (int) seconds;
    }

    private Duration longer(Duration one) {
        return one.compareTo(tombstones) > 0 ? one : tombstones;
    }

    /** What a deleted record leaves: its fence for a while, and a tombstone if the store keeps them and no person let it expire. */
    Item.Remains remains(Item item, Instant now) {
        StoredRecord record = Objects.requireNonNull(item.record());
        Instant end = record.times().expiresAt();
        boolean tombstone = !tombstones.isZero() && !StoredRecord.FORGOTTEN.equals(record.reason());
        return new Item.Remains(end != null && end.isAfter(now) ? end : now, tombstone ? now.plus(tombstones) : null);
    }

    /** What the store knows of a record that it has deleted. */
    Deleted deleted(@Nullable Item item, Instant now) {
        Item.Remains left = item == null ? null : item.remains();
        return left == null
                ? Deleted.unread(!tombstones.isZero())
                : new Deleted(
                        !tombstones.isZero(),
                        left.until() != null && left.until().isAfter(now),
                        left.deletedAt());
    }
}

package dev.semel.reconcile;

import dev.semel.Identity;
import dev.semel.Scope;
import dev.semel.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A search for records, ordered by their last claim. Its cost has a limit: a store looks at no more than
 * {@link #MAX_EXAMINED} records for one page, and says how many it looked at.
 *
 * @param after where the page before this one ended; null for the first page
 * @param limit how many records to return at most
 */
public record RecordSearch(
        Filter filter, Order order, @Nullable Position after, int limit) {

    /** How many records a store looks at for one page: a fraction of a second on every store. */
    public static final int MAX_EXAMINED = 10_000;

    public static final int MAX_LIMIT = 1000;

    public RecordSearch {
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("the limit is " + limit + ", it must be between 1 and " + MAX_LIMIT);
        }
    }

    /** The first page of records that pass this filter, newest first. */
    public static RecordSearch newest(Filter filter, int limit) {
        return new RecordSearch(filter, Order.NEWEST_FIRST, null, limit);
    }

    /** The first page of records that pass this filter, oldest first. */
    public static RecordSearch oldest(Filter filter, int limit) {
        return new RecordSearch(filter, Order.OLDEST_FIRST, null, limit);
    }

    /** The same search, from where a page ended. */
    public RecordSearch after(@Nullable Position position) {
        return new RecordSearch(filter, order, position, limit);
    }

    /** Whether a record is of this search, and behind the page before. */
    public boolean accepts(StoredRecord record) {
        return (after == null || order.of().compare(Position.of(record), after) > 0) && filter.accepts(record);
    }

    /** By the time of the last claim. */
    public enum Order {
        NEWEST_FIRST,
        OLDEST_FIRST;

        public Comparator<Position> of() {
            return this == OLDEST_FIRST ? Position.ORDER : Position.ORDER.reversed();
        }
    }

    /**
     * The place of a record in the order of searches. It stays the same until the record is claimed again.
     *
     * @param claimedAt when the last claim was granted, by the store's clock
     */
    public record Position(Instant claimedAt, long fence, Identity identity) {

        private static final Comparator<Position> ORDER = Comparator.comparing(Position::claimedAt)
                .thenComparingLong(Position::fence)
                .thenComparing(Position::identity);

        public static Position of(StoredRecord record) {
            return new Position(record.times().claimedAt(), record.fence(), record.identity());
        }
    }

    /**
     * Which records to find; null, and no states, mean all.
     *
     * @param deadLettered whether the record is unknown and waits for a person
     */
    public record Filter(
            @Nullable Scope scope,
            @Nullable String operation,
            Set<State> states,
            @Nullable Boolean deadLettered,
            @Nullable KeyMatch key,
            Age age) {

        public static final Filter ALL = new Filter(null, null, Set.of(), null, null, Age.ANY);

        public Filter {
            states = Set.copyOf(states);
        }

        public Filter withStates(Set<State> other) {
            return new Filter(scope, operation, other, deadLettered, key, age);
        }

        public Filter withDeadLettered(boolean other) {
            return new Filter(scope, operation, states, other, key, age);
        }

        /** Whether a record, as it reads now, is one of these. */
        public boolean accepts(StoredRecord record) {
            return (scope == null || scope.equals(record.identity().scope()))
                    && (operation == null || operation.equals(record.operation()))
                    && (states.isEmpty() || states.contains(record.state()))
                    && (deadLettered == null || deadLettered == record.isDeadLettered())
                    && (key == null || key.accepts(record.identity().key().value()))
                    && age.accepts(record);
        }
    }

    /** A key as it is stored, or the start of one. */
    public record KeyMatch(String text, boolean prefix) {

        public boolean accepts(String key) {
            return prefix ? key.startsWith(text) : key.equals(text);
        }
    }

    /**
     * The time since the last claim, by the store's clock; null means any.
     *
     * @param atLeast how old a record is at least
     * @param atMost how old it is at most
     */
    public record Age(@Nullable Duration atLeast, @Nullable Duration atMost) {

        public static final Age ANY = new Age(null, null);

        /** The latest claim of records that are old enough; null when all are. */
        public @Nullable Instant latest(Instant now) {
            return atLeast == null ? null : now.minus(atLeast);
        }

        /** The earliest claim of records that are young enough; null when all are. */
        public @Nullable Instant earliest(Instant now) {
            return atMost == null ? null : now.minus(atMost);
        }

        boolean accepts(StoredRecord record) {
            Instant now = record.times().asOf();
            Instant claimed = record.times().claimedAt();
            Instant latest = latest(now);
            Instant earliest = earliest(now);
            return (latest == null || !claimed.isAfter(latest)) && (earliest == null || !claimed.isBefore(earliest));
        }
    }

    /**
     * A page of a search.
     *
     * @param records without their responses and steps
     * @param next where the next page begins; null when there is none
     * @param examined how many records the store looked at
     * @param complete whether the store looked at every record that could be on this page; if not, it stopped at its limit,
     *     and a narrower search, or the next page, may find more
     * @param plan how the store found them, such as the name of an index
     */
    public record Page(
            List<StoredRecord> records, @Nullable Position next, int examined, boolean complete, String plan) {

        /** A page of records that the store has collected, in any order; {@code all} if these are all that there are. */
        public static Page of(
                RecordSearch search, List<StoredRecord> collected, int examined, boolean all, String plan) {
            List<StoredRecord> found = collected.stream()
                    .filter(search::accepts)
                    .sorted(Comparator.comparing(Position::of, search.order().of()))
                    .limit(search.limit() + 1L)
                    .toList();
            boolean more = found.size() > search.limit();
            List<StoredRecord> records = more ? found.subList(0, search.limit()) : found;
            Position next = more ? Position.of(records.get(records.size() - 1)) : null;
            return new Page(records, next, examined, all, plan);
        }
    }
}

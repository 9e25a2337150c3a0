package dev.semel.jdbc.internal;

import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.RecordRows.Bounds;
import dev.semel.jdbc.internal.RecordRows.Keyed;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.RecordSearch.KeyMatch;
import dev.semel.reconcile.RecordSearch.Order;
import dev.semel.reconcile.RecordSearch.Page;
import dev.semel.reconcile.RecordSearch.Position;
import dev.semel.reconcile.StoredRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A search in a database.
 *
 * <ol>
 *   <li>The index of states and last claims has each stored state in order. The walk merges the states that the filter allows.
 *   <li>Where the index leaves out what is being executed, that is read at once and sorted: it is not much, and an index of it
 *       would cost every claim.
 *   <li>It takes rows in portions, and tests each against the filter, until the page is full, the rows end, or it has looked at
 *       {@link RecordSearch#MAX_EXAMINED} of them.
 *   <li>A search by key uses the primary key instead, collects what it finds up to the same limit, and sorts it.
 * </ol>
 */
public final class RecordWalk {

    private static final int MAX_PORTION = 2000;

    /** Leaves as much for the other states. Beyond it are those whose leases end last, and the page says that it is not complete. */
    private static final int MAX_RUNNING = RecordSearch.MAX_EXAMINED / 2;

    private static final Instant FAR_FUTURE = Instant.parse("2200-01-01T00:00:00Z");

    /** Sorts after every text that a prefix begins: no key has a character above it. */
    private static final String AFTER_ALL = Character.toString(Character.MAX_CODE_POINT);

    private final RecordSearch search;
    private final RecordRows rows;
    private final Bounds start;
    private int examined;
    private boolean tooManyRun;

    private RecordWalk(RecordSearch search, RecordRows rows, Bounds start) {
        this.search = search;
        this.rows = rows;
        this.start = start;
    }

    /**
     * The refusal of a store that was created without the index.
     *
     * @param dialect for the command that prints the tables
     */
    public static StoreException notIndexed(String dialect, String index) {
        return new StoreException("this store has no index for searches: a store adds it when it starts with"
                + " schemaMode=create, or run what `semel schema " + dialect + "` prints for " + index);
    }

    public static Page search(RecordSearch search, RecordRows rows) throws SQLException {
        KeyMatch key = search.filter().key();
        return key == null ? new RecordWalk(search, rows, bounds(search, rows.now())).page() : byKey(search, key, rows);
    }

    private static Page byKey(RecordSearch search, KeyMatch key, RecordRows rows) throws SQLException {
        String scope =
                search.filter().scope() == null ? null : search.filter().scope().value();
        String to = key.prefix() ? key.text() + AFTER_ALL : key.text();
        Keyed found = rows.withKeys(scope, key.text(), to, RecordSearch.MAX_EXAMINED);
        return Page.of(search, found.records(), found.looked(), found.everywhere(), "primary key");
    }

    private static Bounds bounds(RecordSearch search, Instant now) {
        boolean newest = search.order() == Order.NEWEST_FIRST;
        Instant latest = search.filter().age().latest(now);
        Instant earliest = search.filter().age().earliest(now);
        Instant top = latest == null ? FAR_FUTURE : latest;
        Instant bottom = earliest == null ? Instant.EPOCH : earliest;
        Bounds whole = newest ? new Bounds(top, Long.MAX_VALUE, bottom) : new Bounds(bottom, -1, top);
        Position after = search.after();
        if (after == null) {
            return whole;
        }
        boolean inside = newest
                ? after.claimedAt().isBefore(whole.fromTime())
                : after.claimedAt().isAfter(whole.fromTime());
        return inside || after.claimedAt().equals(whole.fromTime())
                ? new Bounds(after.claimedAt(), after.fence(), whole.toTime())
                : whole;
    }

    private Page page() throws SQLException {
        List<Portions> states = new ArrayList<>();
        for (State stored : storedStates(search.filter())) {
            if (stored == State.IN_PROGRESS) {
                states.add(running());
            }
            states.add(new Portions(stored));
        }
        Comparator<Position> order = search.order().of();
        List<StoredRecord> found = new ArrayList<>();
        Position last = search.after();
        while (found.size() < search.limit()) {
            Portions first = first(states, order);
            if (first == null) {
                boolean cut = states.stream().anyMatch(Portions::isCut);
                return new Page(found, cut ? last : null, examined, !cut && !tooManyRun, rows.index());
            }
            StoredRecord record = first.take();
            Position position = Position.of(record);
            // Settled after it was read as running, a record is in both lists.
            if (!position.equals(last) && search.filter().accepts(record)) {
                found.add(record);
            }
            last = position;
        }
        boolean more = first(states, order) != null || states.stream().anyMatch(Portions::isCut);
        return new Page(found, more ? last : null, examined, !tooManyRun, rows.index());
    }

    private Portions running() throws SQLException {
        boolean newest = search.order() == Order.NEWEST_FIRST;
        List<StoredRecord> running = rows.running(
                newest ? start.toTime() : start.fromTime(), newest ? start.fromTime() : start.toTime(), MAX_RUNNING);
        examined += running.size();
        tooManyRun = running.size() == MAX_RUNNING;
        Comparator<Position> order = search.order().of();
        return new Portions(running.stream()
                .filter(record -> search.after() == null || order.compare(Position.of(record), search.after()) > 0)
                .sorted(Comparator.comparing(Position::of, order))
                .toList());
    }

    /** The state whose next record comes first; null when there is none, or when one of them could not be asked any more. */
    private static @Nullable Portions first(List<Portions> states, Comparator<Position> order) throws SQLException {
        Portions first = null;
        for (Portions state : states) {
            StoredRecord head = state.head();
            if (head == null && state.isCut()) {
                return null;
            }
            if (head != null && (first == null || order.compare(Position.of(head), first.position()) < 0)) {
                first = state;
            }
        }
        return first;
    }

    /** A record past its retention reads as expired before pruning has written so. */
    private static Set<State> storedStates(Filter filter) {
        if (Boolean.TRUE.equals(filter.deadLettered())) {
            return EnumSet.of(State.UNKNOWN);
        }
        if (filter.states().isEmpty()) {
            return EnumSet.allOf(State.class);
        }
        Set<State> stored = EnumSet.copyOf(filter.states());
        if (stored.contains(State.EXPIRED)) {
            stored.add(State.COMPLETED);
            stored.add(State.FAILED_RETRYABLE);
        }
        return stored;
    }

    /** The rows of one stored state, read portion by portion. */
    private final class Portions {

        private final State stored;
        private final Deque<StoredRecord> waiting = new ArrayDeque<>();
        private Bounds bounds = start;
        private int size = search.limit() + 1;
        private boolean ended;

        Portions(State stored) {
            this.stored = stored;
        }

        /** All that there are. */
        Portions(List<StoredRecord> running) {
            this(State.IN_PROGRESS);
            waiting.addAll(running);
            ended = true;
        }

        @Nullable
        StoredRecord head() throws SQLException {
            if (waiting.isEmpty() && !ended && !isCut()) {
                int most = Math.min(size, RecordSearch.MAX_EXAMINED - examined);
                List<StoredRecord> portion = rows.walk(stored, search.order(), bounds, most);
                examined += portion.size();
                ended = portion.size() < most;
                size = Math.min(2 * size, MAX_PORTION);
                waiting.addAll(portion);
            }
            return waiting.peek();
        }

        Position position() {
            return Position.of(waiting.element());
        }

        StoredRecord take() {
            StoredRecord record = waiting.remove();
            bounds = new Bounds(record.times().claimedAt(), record.fence(), bounds.toTime());
            return record;
        }

        /** Whether there may be more, and the search has looked at enough. */
        boolean isCut() {
            return waiting.isEmpty() && !ended && examined >= RecordSearch.MAX_EXAMINED;
        }
    }
}

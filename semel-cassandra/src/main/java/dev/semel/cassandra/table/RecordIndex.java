package dev.semel.cassandra.table;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.semel.Identity;
import dev.semel.Retention.Expiry;
import dev.semel.items.Futures;
import dev.semel.items.Item;
import dev.semel.items.ItemIndex;
import dev.semel.reconcile.RecordSearch;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds candidates by the index on {@code place}, which each replica keeps with its own rows. Every query names a range of places
 * and a limit, so that none reads more than it uses. Rows come in no order: of as many as fit the limit, the oldest are first.
 */
public final class RecordIndex implements ItemIndex {

    /** The name by which searches say that they used the index. */
    private static final String NAME = "place";

    /** More than any verb takes at once, and few enough to sort. */
    private static final int MOST = RecordSearch.MAX_EXAMINED;

    private final RecordTable table;

    public RecordIndex(RecordTable table) {
        this.table = table;
    }

    @Override
    public String name() {
        return NAME;
    }

    private record Entry(Identity identity, long place) {}

    private List<Row> rows(BoundStatement statement) {
        return Futures.await(table.calls().rows(statement));
    }

    private Stream<Entry> between(long from, long until) {
        return between(from, until, null);
    }

    private Stream<Entry> between(long from, long until, @Nullable String operation) {
        return rows(table.statements().find(from, until, MOST)).stream()
                .filter(row -> operation == null || operation.equals(row.getString(Statements.OPERATION)))
                .map(row -> new Entry(RecordTable.identity(row), row.getLong(Statements.PLACE)))
                .sorted(Comparator.comparingLong(Entry::place));
    }

    private static Candidates oldestFirst(Stream<Entry> entries) {
        Deque<Identity> rest = new ArrayDeque<>(entries.map(Entry::identity).toList());
        return most -> {
            List<Identity> next = new ArrayList<>();
            while (next.size() < most && !rest.isEmpty()) {
                next.add(rest.remove());
            }
            return next;
        };
    }

    @Override
    public Candidates expired(int wanted) {
        return wanted == 0
                ? most -> List.of()
                : oldestFirst(between(Place.LEASED.first(), Place.LEASED.at(table.now())));
    }

    @Override
    public Candidates due(String operation) {
        return oldestFirst(between(Place.UNKNOWN.first(), Place.UNKNOWN.at(table.now()), operation));
    }

    @Override
    public List<Identity> unknown(@Nullable String operation) {
        return between(Place.UNKNOWN.first(), Place.UNKNOWN.last(), operation)
                .map(Entry::identity)
                .toList();
    }

    @Override
    public List<Identity> sample(int limit) {
        return rows(table.statements().sample(limit)).stream()
                .map(RecordTable::identity)
                .toList();
    }

    @Override
    public Extent summaries(int most, Consumer<Item> consumer) {
        List<Row> rows = rows(table.statements().summaries(most));
        rows.forEach(row -> consumer.accept(RecordTable.summary(row)));
        return new Extent(rows.size(), rows.size() < most);
    }

    @Override
    public List<Identity> prunable(Instant now, Expiry expiry, int most) {
        Stream<Entry> settled = between(Place.SETTLED.first(), Place.SETTLED.at(now));
        Stream<Entry> marked =
                expiry == Expiry.MARK ? Stream.of() : between(Place.MARKED.first(), Place.MARKED.at(now));
        return Stream.concat(settled, marked)
                .sorted(Comparator.comparingLong(entry -> entry.place() & Place.NOWHERE.last()))
                .map(Entry::identity)
                .toList();
    }
}

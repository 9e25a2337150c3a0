package dev.semel.jdbc.postgresql;

import dev.semel.State;
import dev.semel.jdbc.internal.RecordRows;
import dev.semel.jdbc.internal.RecordWalk;
import dev.semel.jdbc.internal.Sql;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Order;
import dev.semel.reconcile.StoredRecord;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A search, each of whose portions is a statement of its own. */
final class PostgresSearch implements RecordRows {

    private static final String NEWEST = Sql.file("postgresql/search-newest.sql");
    private static final String OLDEST = Sql.file("postgresql/search-oldest.sql");
    private static final String RUNNING = Sql.file("postgresql/search-running.sql");
    private static final String KEYS = Sql.file("postgresql/search-keys.sql");
    private static final String START =
            "SELECT clock_timestamp() AS at, EXISTS (" + PostgresSearchIndex.USABLE + ") AS indexed";

    private final PostgresStatements statements;

    private PostgresSearch(PostgresStatements statements) {
        this.statements = statements;
    }

    static RecordSearch.Page page(RecordSearch search, PostgresStatements statements) {
        try {
            return RecordWalk.search(search, new PostgresSearch(statements));
        } catch (SQLException e) {
            throw PostgresFaults.of("search", e);
        }
    }

    /** A moment of the server's clock, and whether the server can search without reading the whole table. */
    private record Start(Instant at, boolean indexed) {}

    @Override
    public Instant now() {
        Start start = statements
                .runRepeatable(new PostgresQuery<>(
                        "search",
                        START,
                        arguments -> {},
                        row -> new Start(
                                row.getObject("at", OffsetDateTime.class).toInstant(), row.getBoolean("indexed"))))
                .get(0);
        if (!start.indexed()) {
            throw RecordWalk.notIndexed("postgresql", PostgresSearchIndex.NAME);
        }
        return start.at();
    }

    @Override
    public String index() {
        return PostgresSearchIndex.NAME;
    }

    @Override
    public List<StoredRecord> running(Instant earliest, Instant latest, int limit) {
        return statements.runRepeatable(new PostgresQuery<>(
                "search",
                RUNNING,
                arguments -> arguments.micros(earliest).micros(latest).limit(limit),
                PostgresQuery::record));
    }

    @Override
    public List<StoredRecord> walk(State stored, Order order, Bounds bounds, int limit) {
        return statements.runRepeatable(new PostgresQuery<>(
                "search",
                order == Order.NEWEST_FIRST ? NEWEST : OLDEST,
                arguments -> arguments
                        .text(stored.label())
                        .micros(bounds.fromTime())
                        .number(bounds.fromFence())
                        .micros(bounds.toTime())
                        .limit(limit),
                PostgresQuery::record));
    }

    @Override
    public Keyed withKeys(@Nullable String scope, String from, String to, int limit) {
        List<StoredRecord> found = statements.runRepeatable(new PostgresQuery<>(
                "search",
                KEYS,
                arguments ->
                        arguments.text(from).text(to).text(scope).text(scope).limit(limit),
                PostgresQuery::record));
        return new Keyed(found, found.size(), found.size() < limit);
    }
}

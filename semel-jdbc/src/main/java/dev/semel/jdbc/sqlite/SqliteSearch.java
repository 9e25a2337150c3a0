package dev.semel.jdbc.sqlite;

import dev.semel.State;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.RecordRow;
import dev.semel.jdbc.internal.RecordRows;
import dev.semel.jdbc.internal.RecordWalk;
import dev.semel.jdbc.internal.Sql;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Order;
import dev.semel.reconcile.StoredRecord;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A search on one connection. */
final class SqliteSearch implements RecordRows {

    private static final String NEWEST = Sql.file("sqlite/search-newest.sql");
    private static final String OLDEST = Sql.file("sqlite/search-oldest.sql");
    private static final String RUNNING = Sql.file("sqlite/search-running.sql");
    private static final String KEYS = Sql.file("sqlite/search-keys.sql");
    private static final String SCOPES = Sql.file("sqlite/search-scopes.sql");

    /** A look into the primary key for each scope: this many take a few milliseconds. */
    private static final int MAX_SCOPES = 2000;

    private final SqliteConnection connection;
    private final Instant now;

    private SqliteSearch(SqliteConnection connection) throws SQLException {
        this.connection = connection;
        this.now = connection.clock();
    }

    static RecordSearch.Page page(RecordSearch search, SqliteConnection connection) throws SQLException {
        if (!SqliteStartup.hasSearchIndex(connection)) {
            throw RecordWalk.notIndexed("sqlite", SqliteStartup.SEARCH_INDEX);
        }
        return RecordWalk.search(search, new SqliteSearch(connection));
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public String index() {
        return SqliteStartup.SEARCH_INDEX;
    }

    @Override
    public List<StoredRecord> running(Instant earliest, Instant latest, int limit) throws SQLException {
        PreparedStatement statement = connection.prepare(RUNNING);
        new Arguments(statement).micros(earliest).micros(latest).limit(limit);
        return records(statement);
    }

    @Override
    public List<StoredRecord> walk(State stored, Order order, Bounds bounds, int limit) throws SQLException {
        PreparedStatement statement = connection.prepare(order == Order.NEWEST_FIRST ? NEWEST : OLDEST);
        new Arguments(statement)
                .text(stored.label())
                .micros(bounds.fromTime())
                .number(bounds.fromFence())
                .micros(bounds.toTime())
                .limit(limit);
        return records(statement);
    }

    @Override
    public Keyed withKeys(@Nullable String scope, String from, String to, int limit) throws SQLException {
        if (scope != null) {
            List<StoredRecord> found = withKeys(scope, from, to, new ArrayList<>(), limit);
            return new Keyed(found, found.size(), found.size() < limit);
        }
        List<StoredRecord> found = new ArrayList<>();
        List<String> scopes = scopes();
        for (String each : scopes) {
            withKeys(each, from, to, found, limit);
        }
        return new Keyed(found, scopes.size() + found.size(), scopes.size() < MAX_SCOPES && found.size() < limit);
    }

    private List<StoredRecord> withKeys(String scope, String from, String to, List<StoredRecord> found, int limit)
            throws SQLException {
        if (found.size() < limit) {
            PreparedStatement statement = connection.prepare(KEYS);
            new Arguments(statement).text(scope).text(from).text(to).limit(limit - found.size());
            found.addAll(records(statement));
        }
        return found;
    }

    private List<String> scopes() throws SQLException {
        PreparedStatement statement = connection.prepare(SCOPES);
        // No scope is empty, so that every one sorts after the empty text.
        new Arguments(statement).text("").limit(MAX_SCOPES);
        List<String> scopes = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                scopes.add(rows.getString("scope"));
            }
        }
        return scopes;
    }

    private List<StoredRecord> records(PreparedStatement statement) throws SQLException {
        List<StoredRecord> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(RecordRow.read(rows, now, SqliteRecords::instant));
            }
        }
        return found;
    }
}

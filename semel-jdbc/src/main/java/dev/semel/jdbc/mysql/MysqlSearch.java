package dev.semel.jdbc.mysql;

import dev.semel.State;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.RecordRows;
import dev.semel.jdbc.internal.RecordWalk;
import dev.semel.jdbc.internal.Sql;
import dev.semel.reconcile.RecordSearch.Order;
import dev.semel.reconcile.StoredRecord;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A search on one connection. */
final class MysqlSearch implements RecordRows {

    /** With every record: MySQL has no indexes of some records. */
    static final String INDEX = "semel_record_claimed";

    private static final String NEWEST = Sql.file("mysql/search-newest.sql");
    private static final String OLDEST = Sql.file("mysql/search-oldest.sql");
    private static final String KEYS = Sql.file("mysql/search-keys.sql");
    private static final String NEXT_SCOPE = Sql.file("mysql/search-scopes.sql");
    private static final String CLOCK = "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(6)) AS at,"
            + " (SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE()"
            + " AND table_name = 'semel_record' AND index_name = '" + INDEX + "') AS indexed";

    /** Two round trips for each scope: this many take a fraction of a second. */
    private static final int MAX_SCOPES = 200;

    private final Connection connection;

    MysqlSearch(Connection connection) {
        this.connection = connection;
    }

    @Override
    public Instant now() throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(CLOCK);
                ResultSet row = statement.executeQuery()) {
            row.next();
            if (row.getInt("indexed") == 0) {
                throw RecordWalk.notIndexed("mysql", INDEX);
            }
            return Micros.instant(row.getLong("at"));
        }
    }

    @Override
    public String index() {
        return INDEX;
    }

    @Override
    public List<StoredRecord> running(Instant earliest, Instant latest, int limit) {
        return List.of();
    }

    @Override
    public List<StoredRecord> walk(State stored, Order order, Bounds bounds, int limit) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(order == Order.NEWEST_FIRST ? NEWEST : OLDEST)) {
            new Arguments(statement)
                    .utf8(stored.label())
                    .micros(bounds.fromTime())
                    .micros(bounds.fromTime())
                    .number(bounds.fromFence())
                    .micros(bounds.toTime())
                    .limit(limit);
            return records(statement);
        }
    }

    @Override
    public Keyed withKeys(@Nullable String scope, String from, String to, int limit) throws SQLException {
        List<StoredRecord> found = new ArrayList<>();
        if (scope != null) {
            addWithKeys(scope, from, to, found, limit);
            return new Keyed(found, found.size(), found.size() < limit);
        }
        int scopes = 0;
        String next = scopeAfter("");
        while (next != null && scopes < MAX_SCOPES && found.size() < limit) {
            scopes++;
            addWithKeys(next, from, to, found, limit);
            next = scopeAfter(next);
        }
        return new Keyed(found, scopes + found.size(), next == null && found.size() < limit);
    }

    private void addWithKeys(String scope, String from, String to, List<StoredRecord> found, int limit)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(KEYS)) {
            new Arguments(statement).utf8(scope).utf8(from).utf8(to).limit(limit - found.size());
            found.addAll(records(statement));
        }
    }

    private @Nullable String scopeAfter(String scope) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(NEXT_SCOPE)) {
            new Arguments(statement).utf8(scope);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getBytes("scope") == null ? null : MysqlRow.required(row, "scope");
            }
        }
    }

    private static List<StoredRecord> records(PreparedStatement statement) throws SQLException {
        List<StoredRecord> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(MysqlRow.record(rows));
            }
        }
        return found;
    }
}

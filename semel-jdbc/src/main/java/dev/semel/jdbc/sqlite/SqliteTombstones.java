package dev.semel.jdbc.sqlite;

import dev.semel.Identity;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.Transitions.Deleted;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The tombstones on one connection at one moment, in the transaction of {@link SqliteRecords}. */
final class SqliteTombstones {

    private static final String FIND = Sql.file("sqlite/tombstone-find.sql");
    private static final String WRITE = Sql.file("sqlite/tombstone-write.sql");
    private static final String PRUNE = Sql.file("sqlite/tombstone-prune.sql");

    private final SqliteConnection connection;
    private final TombstoneTable table;
    private final Instant at;

    SqliteTombstones(SqliteConnection connection, TombstoneTable table, Instant at) {
        this.connection = connection;
        this.table = table;
        this.at = at;
    }

    boolean kept() {
        return table.keepsTombstones();
    }

    Deleted of(ClaimRequest request) throws SQLException {
        boolean asked = kept() && request.firstUse().refusesExpired(true);
        Instant mark = table.present() && request.firstUse().isTimed() ? find(TombstoneTable.mark()) : null;
        return new Deleted(
                kept(), asked && find(request.identity().digest()) != null, mark == null ? Instant.EPOCH : mark);
    }

    private @Nullable Instant find(byte[] digest) throws SQLException {
        PreparedStatement statement = connection.prepare(FIND);
        new Arguments(statement).bytes(digest);
        try (ResultSet row = statement.executeQuery()) {
            return row.next() ? Micros.instant(row.getLong("deleted_at")) : null;
        }
    }

    void add(Identity identity, String operation, String state) throws SQLException {
        if (kept()) {
            write(identity.digest(), operation, state);
        }
    }

    /** Notes that records were deleted at this moment. */
    void mark() throws SQLException {
        if (table.present()) {
            write(TombstoneTable.mark(), "", "");
        }
    }

    private void write(byte[] digest, String operation, String state) throws SQLException {
        PreparedStatement statement = connection.prepare(WRITE);
        new Arguments(statement).bytes(digest).text(operation).text(state).micros(at);
        statement.executeUpdate();
    }

    void prune(int limit) throws SQLException {
        if (kept()) {
            PreparedStatement statement = connection.prepare(PRUNE);
            new Arguments(statement).micros(at.minus(table.keep())).limit(limit);
            statement.executeUpdate();
        }
    }
}

package dev.semel.jdbc.sqlite;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.RecordRow;
import dev.semel.jdbc.internal.Records;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.Transitions.Deleted;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The tables on one connection at one moment of the store's clock: what they hold, and how they are written.
 *
 * <p>A transaction that writes has held the write lock since before this moment. A changed record and its entry of the audit are written
 * together, by one method.
 */
final class SqliteRecords implements Records {

    private static final String FIND = Sql.file("sqlite/find.sql");
    private static final String CLAIM = Sql.file("sqlite/claim.sql");
    private static final String CLAIM_AUDIT = Sql.file("sqlite/claim-audit.sql");
    private static final String COMPLETE = Sql.file("sqlite/complete.sql");
    private static final String COMPLETE_AUDIT = Sql.file("sqlite/complete-audit.sql");
    private static final String WRITE = Sql.file("sqlite/write.sql");
    private static final String AUDIT = Sql.file("sqlite/audit.sql");
    private static final String HISTORY = Sql.file("sqlite/history.sql");
    private static final String NEXT_FENCE = Sql.file("sqlite/next-fence.sql");
    private static final String SWEEP = Sql.file("sqlite/sweep.sql");
    private static final String DUE = Sql.file("sqlite/due.sql");
    private static final String SOME = Sql.file("sqlite/sample.sql");
    private static final String UNKNOWN = Sql.file("sqlite/list-unknown.sql");
    private static final String PRUNE_DELETE = Sql.file("sqlite/prune-delete.sql");
    private static final String FORGET = Sql.file("sqlite/forget.sql");
    private static final String PRUNE_AUDIT = Sql.file("sqlite/prune-audit.sql");
    private static final String PRUNE_MARK = Sql.file("sqlite/prune-mark.sql");

    private final SqliteConnection connection;
    private final SqliteFences fences;
    private final Instant at;
    private final SqliteTombstones tombstones;
    private int claims;
    private long nextFence;
    private long lastFence = -1;

    private SqliteRecords(
            SqliteConnection connection, SqliteFences fences, TombstoneTable tombstones, Instant at, int claims) {
        this.connection = connection;
        this.fences = fences;
        this.at = at;
        this.tombstones = new SqliteTombstones(connection, tombstones, at);
        this.claims = claims;
    }

    /** The tables as they read now. */
    static SqliteRecords now(SqliteConnection connection, SqliteFences fences, TombstoneTable tombstones)
            throws SQLException {
        return now(connection, fences, tombstones, 1);
    }

    /** The tables as they read now, for a transaction with so many claims: their fences are taken at once. */
    static SqliteRecords now(SqliteConnection connection, SqliteFences fences, TombstoneTable tombstones, int claims)
            throws SQLException {
        return new SqliteRecords(connection, fences, tombstones, connection.clock(), Math.max(1, claims));
    }

    @Override
    public boolean keepsTombstones() {
        return tombstones.kept();
    }

    @Override
    public Deleted deleted(ClaimRequest request) throws SQLException {
        return tombstones.of(request);
    }

    @Override
    public void deleteTombstones(int limit) throws SQLException {
        tombstones.prune(limit);
    }

    @Override
    public Instant at() {
        return at;
    }

    @Override
    public @Nullable StoredRecord find(Identity identity) throws SQLException {
        PreparedStatement statement = connection.prepare(FIND);
        named(statement, identity);
        List<StoredRecord> found = records(statement);
        return found.isEmpty() ? null : found.get(0);
    }

    /** What happened to a record, oldest first. */
    List<AuditEntry> history(Identity identity) throws SQLException {
        PreparedStatement statement = connection.prepare(HISTORY);
        named(statement, identity);
        List<AuditEntry> entries = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                entries.add(RecordRow.entry(rows, SqliteRecords::instant));
            }
        }
        return entries;
    }

    @Override
    public List<StoredRecord> expiredLeases(int limit) throws SQLException {
        PreparedStatement statement = connection.prepare(SWEEP);
        new Arguments(statement).micros(at).limit(limit);
        return records(statement);
    }

    @Override
    public List<StoredRecord> due(String operation, int limit) throws SQLException {
        PreparedStatement statement = connection.prepare(DUE);
        new Arguments(statement).text(operation).micros(at).limit(limit);
        return records(statement);
    }

    /** Unknown records in the order of their identities. */
    List<Identity> sample(int limit) throws SQLException {
        PreparedStatement statement = connection.prepare(SOME);
        new Arguments(statement).limit(limit);
        List<Identity> found = new ArrayList<>();
        try (ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                found.add(Identity.of(row.getString("scope"), row.getString("key")));
            }
        }
        return found;
    }

    List<StoredRecord> listUnknown(UnknownFilter filter, int limit) throws SQLException {
        PreparedStatement statement = connection.prepare(UNKNOWN);
        Identity after = filter.after();
        // Scopes and keys are never empty, so that every one sorts after the empty text.
        new Arguments(statement)
                .text(after == null ? "" : after.scope().value())
                .text(after == null ? "" : after.key().value())
                .text(filter.operation())
                .flag(filter.deadLettered())
                .limit(limit);
        return records(statement);
    }

    @Override
    public long nextFence(Identity identity) throws SQLException {
        if (nextFence > lastFence) {
            lastFence = fences.take(this, claims);
            nextFence = lastFence - claims + 1;
            claims = 1;
        }
        return nextFence++;
    }

    /** Takes so many fences above this one, and returns the last of them. */
    long takeFencesAbove(long given, int count) throws SQLException {
        PreparedStatement statement = connection.prepare(NEXT_FENCE);
        new Arguments(statement).number(given).integer(count);
        try (ResultSet row = statement.executeQuery()) {
            if (!row.next()) {
                throw new StoreException(
                        "SQLite failed to claim: the table semel_fence has lost its row, and a fence that"
                                + " was given before must not be given again; restore the file from a backup");
            }
            return row.getLong(1);
        }
    }

    /** Writes what a claim of a new key is granted, and its entry of the audit; null when the key has a record. */
    @Nullable
    StoredRecord insert(ClaimRequest request) throws SQLException {
        StoredRecord granted = Changes.granted(request, nextFence(request.identity()), at);
        PreparedStatement claim = connection.prepare(CLAIM);
        named(claim, granted.identity())
                .text(granted.operation())
                .text(granted.fingerprint().value())
                .number(granted.fence())
                .flag(granted.reexecutable())
                .text(granted.holder())
                .micros(granted.times().lockedUntil())
                .micros(at);
        if (claim.executeUpdate() == 0) {
            nextFence--;
            return null;
        }
        PreparedStatement audit = connection.prepare(CLAIM_AUDIT);
        named(audit, granted.identity())
                .micros(at)
                .number(granted.fence())
                .text(Holder.withoutOutline(granted.holder()));
        audit.executeUpdate();
        return granted;
    }

    /** Completes a record in progress, and writes its entry of the audit; false when it has another state or fence. */
    boolean complete(Lease lease, Response response, Duration retention) throws SQLException {
        PreparedStatement complete = connection.prepare(COMPLETE);
        new Arguments(complete)
                .bytes(response.bytes())
                .micros(at)
                .number(Micros.of(retention))
                .micros(at)
                .text(lease.identity().scope().value())
                .text(lease.identity().key().value())
                .number(lease.fence());
        if (complete.executeUpdate() == 0) {
            return false;
        }
        PreparedStatement audit = connection.prepare(COMPLETE_AUDIT);
        named(audit, lease.identity());
        audit.executeUpdate();
        return true;
    }

    @Override
    public void change(@Nullable StoredRecord before, StoredRecord after, Note note) throws SQLException {
        rewrite(after);
        tell(AuditEntry.of(0, before, after, note));
    }

    @Override
    public void rewrite(StoredRecord record) throws SQLException {
        PreparedStatement statement = connection.prepare(WRITE);
        StoredRecord.Times times = record.times();
        Evidence evidence = record.evidence();
        Reconciling reconciling = record.reconciling();
        named(statement, record.identity())
                .text(record.operation())
                .text(record.fingerprint().value())
                .text(record.state().label())
                .number(record.fence())
                .integer(record.attempts())
                .flag(record.reexecutable())
                .text(record.holder())
                .micros(times.lockedUntil())
                .micros(times.expiresAt())
                .micros(times.createdAt())
                .micros(times.updatedAt())
                .micros(times.claimedAt())
                .micros(times.doubtSince())
                .bytes(record.response() == null ? null : record.response().bytes())
                .text(record.reason())
                .text(evidence == null ? null : evidence.source())
                .text(evidence == null ? null : evidence.detail())
                .bytes(record.steps().isEmpty() ? null : record.steps().bytes())
                .micros(reconciling == null ? null : reconciling.since())
                .integer(reconciling == null ? 0 : reconciling.tries())
                .micros(reconciling == null ? null : reconciling.nextTryAt());
        statement.executeUpdate();
    }

    /** The entry gets its number from the table. */
    private void tell(AuditEntry entry) throws SQLException {
        PreparedStatement statement = connection.prepare(AUDIT);
        State from = entry.from();
        named(statement, entry.identity())
                .micros(entry.at())
                .text(entry.change().label())
                .number(entry.fence())
                .text(from == null ? null : from.label())
                .text(entry.to().label())
                .text(entry.who())
                .text(entry.why());
        statement.executeUpdate();
    }

    @Override
    public int deleteExpired(int limit) throws SQLException {
        PreparedStatement statement = connection.prepare(PRUNE_DELETE);
        new Arguments(statement).micros(at).limit(limit);
        List<Identity> deleted = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                Identity identity = Identity.of(rows.getString("scope"), rows.getString("key"));
                deleted.add(identity);
                if (!StoredRecord.FORGOTTEN.equals(rows.getString("reason"))) {
                    tombstones.add(identity, rows.getString("operation"), rows.getString("state"));
                }
            }
        }
        if (!deleted.isEmpty()) {
            tombstones.mark();
        }
        for (Identity identity : deleted) {
            PreparedStatement forget = connection.prepare(FORGET);
            named(forget, identity);
            forget.executeUpdate();
        }
        return deleted.size();
    }

    @Override
    public int markExpired(int limit) throws SQLException {
        PreparedStatement audit = connection.prepare(PRUNE_AUDIT);
        new Arguments(audit)
                .micros(at)
                .limit(limit)
                .text(Change.EXPIRED.label())
                .text(AuditEntry.PRUNING);
        audit.executeUpdate();
        PreparedStatement mark = connection.prepare(PRUNE_MARK);
        new Arguments(mark).micros(at).limit(limit);
        return mark.executeUpdate();
    }

    private List<StoredRecord> records(PreparedStatement statement) throws SQLException {
        List<StoredRecord> found = new ArrayList<>();
        try (ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                found.add(RecordRow.read(rows, at, SqliteRecords::instant));
            }
        }
        return found;
    }

    private static Arguments named(PreparedStatement statement, Identity identity) throws SQLException {
        return new Arguments(statement)
                .text(identity.scope().value())
                .text(identity.key().value());
    }

    static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        long micros = row.getLong(column);
        return row.wasNull() ? null : Micros.instant(micros);
    }
}

package dev.semel.jdbc.mysql;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.internal.Arguments;
import dev.semel.jdbc.internal.Micros;
import dev.semel.jdbc.internal.RecordWalk;
import dev.semel.jdbc.internal.Sql;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Reconciling;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The tables on one connection: what they hold, and how they are written, many rows to a statement. */
final class MysqlTables {

    private static final MultiRow READ = MultiRow.file("mysql/read.sql");
    private static final MultiRow LOCK = MultiRow.file("mysql/lock.sql");
    private static final MultiRow LOOK = MultiRow.file("mysql/look.sql");
    private static final MultiRow LOOK_AND_DELETED = MultiRow.file("mysql/look-and-deleted.sql");
    private static final MultiRow WRITE = MultiRow.file("mysql/write.sql");
    private static final MultiRow AUDIT = MultiRow.file("mysql/audit.sql");
    private static final MultiRow DELETE = MultiRow.file("mysql/delete.sql");
    private static final MultiRow FORGET = MultiRow.file("mysql/forget.sql");
    private static final MultiRow MARK = MultiRow.file("mysql/prune-mark.sql");
    private static final String HISTORY = Sql.file("mysql/history.sql");
    private static final String SWEEP = Sql.file("mysql/sweep.sql");
    private static final String DUE = Sql.file("mysql/due.sql");
    private static final String SOME = Sql.file("mysql/sample.sql");
    private static final String UNKNOWN = Sql.file("mysql/list-unknown.sql");
    private static final String PRUNE_FIND = Sql.file("mysql/prune-find.sql");

    /** Rows of one statement: few enough for the planner to look each of them up. */
    static final int ROWS = 200;

    /** Bytes of responses and steps in one statement, unless one row has more: well below any max_allowed_packet. */
    private static final int BYTES = 1 << 20;

    /** What the columns operation and holder hold. */
    private static final int NAME_BYTES = 1000;

    /** Their fence is the number of their entry, which is not known before it is written. */
    private static final Set<Change> GRANTS = Set.of(Change.GRANTED, Change.TAKEN_OVER);

    /** An estimate of a statement for one record without response and steps; evidence is at most half of it. */
    private static final int REST_BYTES = 16 << 10;

    private final Connection connection;
    private final long maxPacket;
    private final MysqlTombstones tombstones;
    private boolean written;

    /** On a server that takes statements of at most so many bytes. */
    MysqlTables(Connection connection, long maxPacket, TombstoneTable tombstones) {
        this.connection = connection;
        this.maxPacket = maxPacket;
        this.tombstones = new MysqlTombstones(connection, tombstones);
    }

    MysqlTombstones tombstones() {
        return tombstones;
    }

    /** Fills a statement's placeholders. */
    private interface Binding {
        void bind(Arguments arguments) throws SQLException;
    }

    /** Makes something of a row. */
    private interface Reading<T> {
        T read(ResultSet row) throws SQLException;
    }

    /** Records that were found at a moment; those that are absent are not among them. */
    record Look(Instant at, Map<Identity, StoredRecord> found, Instant deletedUpTo) {}

    /** A record past its retention, with the state that it had. */
    record Expired(
            Identity identity,
            String operation,
            State state,
            boolean forgotten,
            long fence,
            Instant expiresAt,
            Instant at) {}

    /** Whether anything was written that is worth a commit. */
    boolean written() {
        return written;
    }

    /** The records as they are committed; nothing is locked. */
    Look read(Collection<Identity> identities) throws SQLException {
        return find(READ, identities);
    }

    /** Locks records in the order given, whether they exist or not. */
    void lock(List<Identity> identities) throws SQLException {
        for (List<Identity> some : chunks(identities)) {
            update(LOCK.of(some.size()), arguments -> bind(arguments, some));
        }
    }

    /** Records that are locked, as they are now. */
    Look look(Collection<Identity> identities) throws SQLException {
        return find(tombstones.table().present() ? LOOK_AND_DELETED : LOOK, identities);
    }

    private Look find(MultiRow sql, Collection<Identity> identities) throws SQLException {
        Instant at = Instant.EPOCH;
        Instant deletedUpTo = Instant.EPOCH;
        boolean readsDeletions = sql.equals(LOOK_AND_DELETED);
        Map<Identity, StoredRecord> found = new HashMap<>();
        for (List<Identity> some : chunks(identities)) {
            try (PreparedStatement statement = connection.prepareStatement(sql.of(some.size()))) {
                bind(new Arguments(statement), some);
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        at = MysqlRow.at(rows);
                        if (readsDeletions) {
                            deletedUpTo = Micros.instant(rows.getLong("deleted_up_to"));
                        }
                        // Zero is the fence of a placeholder, not of a record.
                        if (rows.getLong("fence") != 0) {
                            StoredRecord record = MysqlRow.record(rows);
                            found.put(record.identity(), record);
                        }
                    }
                }
            }
        }
        return new Look(at, found, deletedUpTo);
    }

    List<AuditEntry> history(Identity identity) throws SQLException {
        return query(HISTORY, arguments -> bind(arguments, List.of(identity)), MysqlRow::entry);
    }

    /** Locks records whose lease has expired and that no sweep has found yet, oldest first. */
    List<StoredRecord> expiredLeases(int limit) throws SQLException {
        return query(SWEEP, arguments -> arguments.limit(limit), MysqlRow::record);
    }

    /** Locks unknown records of an operation whose next try is due, oldest first. */
    List<StoredRecord> due(String operation, int limit) throws SQLException {
        return query(DUE, arguments -> arguments.utf8(operation).limit(limit), MysqlRow::record);
    }

    /** Locks records past their retention in one of the two queues of them, oldest first. */
    List<Expired> expired(String queue, int limit) throws SQLException {
        return query(
                PRUNE_FIND,
                arguments -> arguments.utf8(queue).limit(limit),
                row -> new Expired(
                        MysqlRow.identity(row),
                        MysqlRow.required(row, "operation"),
                        State.ofLabel(MysqlRow.required(row, "state")),
                        MysqlRow.isForgotten(row),
                        row.getLong("fence"),
                        Micros.instant(row.getLong("expires_at")),
                        MysqlRow.at(row)));
    }

    List<Identity> sample(int limit) throws SQLException {
        return query(SOME, arguments -> arguments.limit(limit), MysqlRow::identity);
    }

    List<StoredRecord> listUnknown(UnknownFilter filter, int limit) throws SQLException {
        Identity after = filter.after();
        String scope = after == null ? "" : after.scope().value();
        String key = after == null ? "" : after.key().value();
        return query(
                UNKNOWN,
                arguments -> arguments
                        .utf8(scope)
                        .utf8(scope)
                        .utf8(key)
                        .utf8(filter.operation())
                        .utf8(filter.operation())
                        .flag(filter.deadLettered())
                        .flag(filter.deadLettered())
                        .limit(limit),
                MysqlRow::record);
    }

    RecordSearch.Page search(RecordSearch search) throws SQLException {
        return RecordWalk.search(search, new MysqlSearch(connection));
    }

    /** Writes entries of the audit; the numbers that they got, in their order. */
    List<Long> tell(List<AuditEntry> entries) throws SQLException {
        List<Long> numbers = new ArrayList<>();
        for (List<AuditEntry> some : chunks(entries)) {
            written = true;
            try (PreparedStatement statement =
                    connection.prepareStatement(AUDIT.of(some.size()), Statement.RETURN_GENERATED_KEYS)) {
                Arguments arguments = new Arguments(statement);
                for (AuditEntry entry : some) {
                    bind(arguments, entry);
                }
                statement.executeUpdate();
                try (ResultSet keys = statement.getGeneratedKeys()) {
                    keys.next();
                    long first = keys.getLong(1);
                    for (int i = 0; i < some.size(); i++) {
                        numbers.add(first + i);
                    }
                }
            }
        }
        return numbers;
    }

    /** Whether the number of this entry is the fence of the claim that it records. */
    static boolean givesFence(AuditEntry entry) {
        return GRANTS.contains(entry.change());
    }

    private static void bind(Arguments arguments, AuditEntry entry) throws SQLException {
        State from = entry.from();
        bind(arguments, List.of(entry.identity()));
        arguments
                .micros(entry.at())
                .utf8(entry.change().label())
                .numberOrNull(givesFence(entry) ? null : entry.fence())
                .utf8(from == null ? null : from.label())
                .utf8(entry.to().label())
                .utf8(entry.who())
                .utf8(entry.why());
    }

    /** Writes records that are locked. */
    void write(Collection<StoredRecord> records) throws SQLException {
        List<StoredRecord> some = new ArrayList<>();
        int bytes = 0;
        for (StoredRecord record : records) {
            requireSendable(record);
            if (!some.isEmpty() && (some.size() == ROWS || bytes + bytesOf(record) > BYTES)) {
                writeTogether(some);
                some.clear();
                bytes = 0;
            }
            some.add(record);
            bytes += bytesOf(record);
        }
        if (!some.isEmpty()) {
            writeTogether(some);
        }
    }

    private static int bytesOf(StoredRecord record) {
        return record.steps().bytes().length
                + (record.response() == null ? 0 : record.response().size());
    }

    /** Checked here: the server closes a connection that sends too large a statement, and every call of the batch would fail. */
    private void requireSendable(StoredRecord record) {
        if (bytesOf(record) > maxPacket / 4 && REST_BYTES + escapedBytesOf(record) > maxPacket) {
            throw MysqlFaults.tooLarge(maxPacket);
        }
    }

    private static long escapedBytesOf(StoredRecord record) {
        return escaped(record.steps().bytes())
                + (record.response() == null ? 0 : escaped(record.response().bytes()));
    }

    /** The length within the text of a statement. */
    private static long escaped(byte[] bytes) {
        long length = bytes.length;
        for (byte each : bytes) {
            if (each == 0 || each == '\'' || each == '"' || each == '\\') {
                length++;
            }
        }
        return length;
    }

    private void writeTogether(List<StoredRecord> records) throws SQLException {
        written = true;
        update(WRITE.of(records.size()), arguments -> {
            for (StoredRecord record : records) {
                bind(arguments, record);
            }
        });
    }

    private static void bind(Arguments arguments, StoredRecord record) throws SQLException {
        StoredRecord.Times times = record.times();
        Evidence evidence = record.evidence();
        Reconciling reconciling = record.reconciling();
        bind(arguments, List.of(record.identity()));
        arguments
                .utf8(fitting("operation", record.operation()))
                .utf8(record.fingerprint().value())
                .utf8(record.state().label())
                .number(record.fence())
                .integer(record.attempts())
                .flag(record.reexecutable())
                .utf8(fitting("holder", record.holder()))
                .micros(times.lockedUntil())
                .micros(times.expiresAt())
                .micros(times.createdAt())
                .micros(times.updatedAt())
                .micros(times.claimedAt())
                .micros(times.doubtSince())
                .bytes(record.response() == null ? null : record.response().bytes())
                .utf8(record.reason())
                .utf8(evidence == null ? null : evidence.source())
                .utf8(evidence == null ? null : evidence.detail())
                .bytes(record.steps().isEmpty() ? null : record.steps().bytes())
                .micros(reconciling == null ? null : reconciling.since())
                .integer(reconciling == null ? 0 : reconciling.tries())
                .micros(reconciling == null ? null : reconciling.nextTryAt());
    }

    /** Checked here: a session that is not strict truncates it without an error. */
    private static String fitting(String column, String value) {
        if (value.getBytes(StandardCharsets.UTF_8).length > NAME_BYTES) {
            throw new UndoneException("MySQL holds at most " + NAME_BYTES + " bytes in the column " + column
                    + ": give it a shorter name");
        }
        return value;
    }

    /** Marks records that are locked as expired. */
    void mark(List<Identity> identities, Instant at) throws SQLException {
        for (List<Identity> some : chunks(identities)) {
            written = true;
            update(MARK.of(some.size()), arguments -> bind(arguments.micros(at), some));
        }
    }

    /** Leaves what is to be known of records that are deleted next, because of their age. */
    void bury(List<Expired> expired) throws SQLException {
        if (!expired.isEmpty() && tombstones.table().present()) {
            written = true;
            for (List<Expired> some : chunks(expired)) {
                tombstones.add(some);
            }
        }
    }

    /** Deletes tombstones whose time has passed. */
    void pruneTombstones(int limit) throws SQLException {
        if (tombstones.table().keepsTombstones()) {
            written |= tombstones.prune(limit) > 0;
        }
    }

    /** Which of these have left a tombstone. */
    Set<Identity> buried(Collection<Identity> identities) throws SQLException {
        Set<Identity> buried = new HashSet<>();
        for (List<Identity> some : chunks(identities)) {
            buried.addAll(tombstones.of(some));
        }
        return buried;
    }

    /** Deletes records that are locked. */
    void delete(Collection<Identity> identities) throws SQLException {
        for (List<Identity> some : chunks(identities)) {
            written = true;
            update(DELETE.of(some.size()), arguments -> bind(arguments, some));
        }
    }

    /** Deletes what happened to records. */
    void forget(Collection<Identity> identities) throws SQLException {
        for (List<Identity> some : chunks(identities)) {
            written = true;
            update(FORGET.of(some.size()), arguments -> bind(arguments, some));
        }
    }

    private <T> List<T> query(String sql, Binding binding, Reading<T> reading) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(new Arguments(statement));
            List<T> answers = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    answers.add(reading.read(rows));
                }
            }
            return answers;
        }
    }

    private void update(String sql, Binding binding) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(new Arguments(statement));
            statement.executeUpdate();
        }
    }

    private static void bind(Arguments arguments, List<Identity> identities) throws SQLException {
        for (Identity identity : identities) {
            arguments.utf8(identity.scope().value()).utf8(identity.key().value());
        }
    }

    private static <T> List<List<T>> chunks(Collection<T> all) {
        List<T> list = new ArrayList<>(all);
        List<List<T>> chunks = new ArrayList<>();
        for (int start = 0; start < list.size(); start += ROWS) {
            chunks.add(list.subList(start, Math.min(start + ROWS, list.size())));
        }
        return chunks;
    }
}

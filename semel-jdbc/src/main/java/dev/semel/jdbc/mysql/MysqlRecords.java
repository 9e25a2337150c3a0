package dev.semel.jdbc.mysql;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.internal.Records;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.Transitions.Deleted;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Records that a transaction has locked, while it decides about them: changes are collected, and written all at once.
 *
 * <p>A claim's fence is the number of its entry in the audit. So the decisions are made once to find the entries, the entries
 * are written, and the decisions are made again with the fences. They are the same, since no claim depends on its own fence. Two verbs about one record may depend on each other, so
 * that the second waits for the next round.
 */
final class MysqlRecords implements Records {

    private static final String RETENTION = "retention";
    private static final String MARKED = "marked";

    private final MysqlTables tables;
    private final Instant at;
    private final Instant deletedUpTo;
    private final Set<Identity> buried;
    private final Map<Identity, StoredRecord> current;
    private final Map<Identity, Long> fences = new HashMap<>();
    private final Map<Identity, StoredRecord> changed = new LinkedHashMap<>();
    private final List<AuditEntry> told = new ArrayList<>();

    /** Records that were looked at, and which of the absent ones have left a tombstone. */
    MysqlRecords(MysqlTables tables, MysqlTables.Look look, Set<Identity> buried) {
        this(tables, look, buried, look.found());
    }

    private MysqlRecords(
            MysqlTables tables, MysqlTables.Look look, Set<Identity> buried, Map<Identity, StoredRecord> current) {
        this.tables = tables;
        this.at = look.at();
        this.deletedUpTo = look.deletedUpTo();
        this.buried = buried;
        this.current = new HashMap<>(current);
    }

    /** The same records, to find out what would be written. */
    private MysqlRecords(MysqlRecords other) {
        this(other.tables, new MysqlTables.Look(other.at, Map.of(), other.deletedUpTo), other.buried, other.current);
    }

    /** Records that a query finds and locks, each at its own time. */
    static MysqlRecords toBeFound(MysqlTables tables) {
        return new MysqlRecords(tables, new MysqlTables.Look(Instant.EPOCH, Map.of(), Instant.EPOCH), Set.of());
    }

    /** Decides these in their order, and writes what they change; their answers. */
    <A> List<A> decide(List<MysqlEntry<A>> entries) throws SQLException {
        Map<Integer, A> answers = new TreeMap<>();
        while (answers.size() < entries.size()) {
            decide(nextRound(entries, answers.keySet()), answers);
        }
        tables.write(changed.values());
        return List.copyOf(answers.values());
    }

    /** The first undecided entry of each record. */
    private static <A> Map<Integer, MysqlEntry<A>> nextRound(List<MysqlEntry<A>> entries, Set<Integer> decided) {
        Map<Integer, MysqlEntry<A>> round = new LinkedHashMap<>();
        Set<Identity> taken = new HashSet<>();
        for (int i = 0; i < entries.size(); i++) {
            if (!decided.contains(i) && taken.add(entries.get(i).identity())) {
                round.put(i, entries.get(i));
            }
        }
        return round;
    }

    private <A> void decide(Map<Integer, MysqlEntry<A>> round, Map<Integer, A> answers) throws SQLException {
        MysqlRecords rehearsal = new MysqlRecords(this);
        for (MysqlEntry<A> entry : round.values()) {
            entry.decision().on(rehearsal);
        }
        List<Long> numbers = tables.tell(rehearsal.told);
        for (int i = 0; i < numbers.size(); i++) {
            fences.put(rehearsal.told.get(i).identity(), numbers.get(i));
        }
        for (Map.Entry<Integer, MysqlEntry<A>> entry : round.entrySet()) {
            answers.put(entry.getKey(), entry.getValue().decision().on(this));
        }
    }

    /** Writes the changed records and their entries of the audit. */
    void write() throws SQLException {
        tables.tell(told);
        tables.write(changed.values());
    }

    @Override
    public Instant at() {
        return at;
    }

    @Override
    public @Nullable StoredRecord find(Identity identity) {
        return current.get(identity);
    }

    @Override
    public long nextFence(Identity identity) {
        long fence = fences.getOrDefault(identity, Long.MAX_VALUE);
        StoredRecord before = current.get(identity);
        if (before != null && before.fence() >= fence) {
            throw new UndoneException("the numbers of semel_audit have gone back, and fences with them: was the table"
                    + " truncated or restored? Set its AUTO_INCREMENT above the highest fence in semel_record");
        }
        return fence;
    }

    @Override
    public void change(@Nullable StoredRecord before, StoredRecord after, Note note) {
        told.add(AuditEntry.of(0, before, after, note));
        rewrite(after);
    }

    @Override
    public void rewrite(StoredRecord record) {
        current.put(record.identity(), record);
        changed.put(record.identity(), record);
    }

    @Override
    public List<StoredRecord> expiredLeases(int limit) throws SQLException {
        return tables.expiredLeases(limit);
    }

    @Override
    public List<StoredRecord> due(String operation, int limit) throws SQLException {
        return tables.due(operation, limit);
    }

    @Override
    public boolean keepsTombstones() {
        return tables.tombstones().table().keepsTombstones();
    }

    @Override
    public Deleted deleted(ClaimRequest request) {
        return new Deleted(keepsTombstones(), buried.contains(request.identity()), deletedUpTo);
    }

    @Override
    public void deleteTombstones(int limit) throws SQLException {
        tables.pruneTombstones(limit);
    }

    @Override
    public int deleteExpired(int limit) throws SQLException {
        List<MysqlTables.Expired> expired = new ArrayList<>(tables.expired(RETENTION, limit));
        expired.addAll(tables.expired(MARKED, limit));
        expired.sort(Comparator.comparing(MysqlTables.Expired::expiresAt));
        List<MysqlTables.Expired> due = expired.stream().limit(limit).toList();
        List<Identity> oldest = due.stream().map(MysqlTables.Expired::identity).toList();
        tables.bury(due);
        tables.forget(oldest);
        tables.delete(oldest);
        return oldest.size();
    }

    @Override
    public int markExpired(int limit) throws SQLException {
        List<MysqlTables.Expired> expired = tables.expired(RETENTION, limit);
        if (!expired.isEmpty()) {
            tables.tell(expired.stream().map(MysqlRecords::marking).toList());
            tables.mark(
                    expired.stream().map(MysqlTables.Expired::identity).toList(),
                    expired.get(0).at());
        }
        return expired.size();
    }

    private static AuditEntry marking(MysqlTables.Expired expired) {
        return new AuditEntry(
                expired.identity(),
                0,
                expired.at(),
                Change.EXPIRED,
                expired.fence(),
                expired.state(),
                State.EXPIRED,
                AuditEntry.PRUNING,
                null);
    }
}

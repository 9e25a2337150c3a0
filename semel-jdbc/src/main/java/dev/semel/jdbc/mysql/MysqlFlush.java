package dev.semel.jdbc.mysql;

import dev.semel.Identity;
import dev.semel.jdbc.batch.BatchCall;
import dev.semel.jdbc.batch.UndoneException;
import dev.semel.jdbc.internal.TombstoneTable;
import dev.semel.jdbc.internal.Verbs;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.Deleted;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a batch is answered: verbs about one record each, in one transaction.
 *
 * <ol>
 *   <li>Claims are judged by a plain read. Where that is an answer, nothing is locked or written.
 *   <li>The records of all the others are locked in the order of their identities, so that two batches never wait for each
 *       other, with a placeholder row for those that are absent.
 *   <li>They are read, together with the time.
 *   <li>{@link Verbs} decides in the order of arrival, {@link MysqlRecords} collects, and the audit and the records are
 *       written with one statement each.
 *   <li>Rows that are still placeholders are deleted. If nothing was written, the transaction is rolled back, and they with
 *       it.
 * </ol>
 */
final class MysqlFlush {

    private final MysqlConnections connections;

    MysqlFlush(MysqlConnections connections) {
        this.connections = connections;
    }

    /** A claim as its caller asked for it. */
    record Claiming(ClaimRequest request, MysqlEntry<ClaimAnswer> entry) {

        Claiming(ClaimRequest request) {
            this(request, MysqlEntry.claim(request));
        }

        /** The answer that needs no write, on this record; null where one is needed. */
        @Nullable
        ClaimAnswer judged(@Nullable StoredRecord current, TombstoneTable tombstones) {
            return current == null
                    ? null
                    : Verbs.answer(
                            Transitions.onClaim(current, request, Deleted.unread(tombstones.keepsTombstones())),
                            current);
        }
    }

    /** Claims are repeated when the connection broke: each carries its holder, and finds its own lease. */
    void claim(List<BatchCall<Claiming, ClaimAnswer>> calls) {
        judge(calls);
        List<BatchCall<Claiming, ClaimAnswer>> open =
                calls.stream().filter(BatchCall::isOpen).toList();
        if (open.isEmpty()) {
            return;
        }
        List<MysqlEntry<ClaimAnswer>> entries =
                open.stream().map(call -> call.question().entry()).toList();
        try {
            note(open, connections.writeRepeatable("claim", tables -> decide(tables, entries)));
        } catch (UndoneException.Held e) {
            if (open.size() > 1) {
                throw e;
            }
            // A transaction that has not committed holds the key, for an unknown time.
            open.get(0).answer(new ClaimAnswer.Busy(Duration.ZERO));
        }
    }

    private void judge(List<BatchCall<Claiming, ClaimAnswer>> calls) {
        Map<Identity, StoredRecord> found = read(
                "claim", calls.stream().map(call -> call.question().request().identity()));
        for (BatchCall<Claiming, ClaimAnswer> call : calls) {
            ClaimAnswer answer =
                    call.question().judged(found.get(call.question().request().identity()), connections.tombstones());
            if (answer != null) {
                call.answer(answer);
            }
        }
    }

    /** All other verbs that write. */
    <A> void write(List<BatchCall<MysqlEntry<A>, A>> calls) {
        List<MysqlEntry<A>> entries = calls.stream().map(BatchCall::question).toList();
        note(calls, connections.write(entries.get(0).verb(), tables -> decide(tables, entries)));
    }

    void find(List<BatchCall<Identity, Optional<StoredRecord>>> calls) {
        Map<Identity, StoredRecord> found = read("find", calls.stream().map(BatchCall::question));
        calls.forEach(call -> call.answer(Optional.ofNullable(found.get(call.question()))));
    }

    private Map<Identity, StoredRecord> read(String verb, Stream<Identity> identities) {
        List<Identity> distinct = identities.distinct().toList();
        return connections.read(verb, tables -> tables.read(distinct).found());
    }

    private static <Q, A> void note(List<BatchCall<Q, A>> calls, List<A> answers) {
        for (int i = 0; i < calls.size(); i++) {
            calls.get(i).answer(answers.get(i));
        }
    }

    /** Those that left a tombstone: read when the records are locked, so that no deletion comes between. */
    static Set<Identity> buried(MysqlTables tables, List<Identity> identities, MysqlTables.Look look)
            throws SQLException {
        return tables.tombstones().table().keepsTombstones()
                ? tables.buried(identities.stream()
                        .filter(identity -> !look.found().containsKey(identity))
                        .toList())
                : Set.of();
    }

    private static <A> List<A> decide(MysqlTables tables, List<MysqlEntry<A>> entries) throws SQLException {
        List<Identity> identities =
                entries.stream().map(MysqlEntry::identity).distinct().sorted().toList();
        tables.lock(identities);
        MysqlTables.Look look = tables.look(identities);
        MysqlRecords records = new MysqlRecords(tables, look, buried(tables, identities, look));
        List<A> answers = records.decide(entries);
        if (tables.written()) {
            tables.delete(identities.stream()
                    .filter(identity -> records.find(identity) == null)
                    .toList());
        }
        return answers;
    }
}

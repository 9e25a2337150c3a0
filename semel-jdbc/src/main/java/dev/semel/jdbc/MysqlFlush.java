package dev.semel.jdbc;

import dev.semel.Identity;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Transitions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decides a batch of verbs, each about one record, in one transaction.
 *
 * <ol>
 *   <li>Claims are judged by a plain read. Where that is an answer, nothing is locked or written.
 *   <li>The records of all the others are locked in the order of their identities, so that two batches never wait for each
 *       other, with a row in the place of those that are absent.
 *   <li>They are read, together with the time.
 *   <li>{@link Verbs} decides in the order of arrival, {@link MysqlRecords} collects, and the audit and the records are
 *       written with one statement each.
 *   <li>Rows that still only hold a place are deleted. If nothing at all was written, the transaction is rolled back, and
 *       they with it.
 * </ol>
 */
final class MysqlFlush {

    private final MysqlConnections connections;

    MysqlFlush(MysqlConnections connections) {
        this.connections = connections;
    }

    /** The answers to these, in their order. */
    List<Object> flush(List<MysqlEntry<?>> batch) {
        List<@Nullable Object> answers = judged(batch);
        List<MysqlEntry<?>> undecided = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            if (answers.get(i) == null) {
                undecided.add(batch.get(i));
            }
        }
        List<Object> decided = undecided.isEmpty() ? List.of() : decided(undecided);
        int next = 0;
        List<Object> all = new ArrayList<>();
        for (Object answer : answers) {
            all.add(answer == null ? decided.get(next++) : answer);
        }
        return all;
    }

    /** The answers of claims that need no write; null where one is needed. */
    private List<@Nullable Object> judged(List<MysqlEntry<?>> batch) {
        List<Identity> claimed = batch.stream()
                .filter(entry -> entry.claim() != null)
                .map(MysqlEntry::identity)
                .distinct()
                .toList();
        Map<Identity, StoredRecord> found = claimed.isEmpty()
                ? Map.of()
                : connections.read("claim", tables -> tables.read(claimed).found());
        List<@Nullable Object> answers = new ArrayList<>();
        for (MysqlEntry<?> entry : batch) {
            answers.add(judged(entry, found.get(entry.identity())));
        }
        return answers;
    }

    /** The answer of a claim that needs no write, on this record; null where one is needed. */
    static @Nullable Object judged(MysqlEntry<?> entry, @Nullable StoredRecord current) {
        return entry.claim() == null || current == null
                ? null
                : Verbs.answer(Transitions.onClaim(current, entry.claim()), current);
    }

    private List<Object> decided(List<MysqlEntry<?>> batch) {
        String verb = batch.get(0).verb();
        boolean claims = batch.stream().allMatch(entry -> entry.claim() != null);
        return claims
                ? connections.writeRepeatable(verb, tables -> decide(tables, batch))
                : connections.write(verb, tables -> decide(tables, batch));
    }

    private static List<Object> decide(MysqlTables tables, List<MysqlEntry<?>> batch) throws SQLException {
        List<Identity> identities =
                batch.stream().map(MysqlEntry::identity).distinct().sorted().toList();
        tables.lock(identities);
        MysqlRecords records = new MysqlRecords(tables, tables.look(identities));
        List<Object> answers = records.decide(batch);
        if (tables.written()) {
            tables.delete(identities.stream()
                    .filter(identity -> Objects.isNull(records.find(identity)))
                    .toList());
        }
        return answers;
    }
}

package dev.semel.cassandra.table;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.NodeState;
import com.datastax.oss.driver.api.core.servererrors.CASWriteUnknownException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import dev.semel.Identity;
import dev.semel.StoreException;
import dev.semel.items.Item;
import dev.semel.items.Item.Remains;
import dev.semel.items.ItemTable;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Transitions.Deleted;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The rows of records: each is a partition of its own, and is written by lightweight transactions only.
 *
 * <ol>
 *   <li>A write has the condition that the row is as it was seen, or is not there. A refusal brings the row.
 *   <li>A write without a clear answer may have been decided or not. A serial read ends what is under way, and shows by the number
 *       of the write which of both it is; only where the row is still as it was seen, the write is sent again.
 *   <li>A refusal brings no time. Where it shows a retention or a tombstone that has ended, the row is read again, with the time of
 *       the node that reads it. A lease is not worth it: if it ends early, fences keep its attempt from doing harm.
 * </ol>
 */
public final class RecordTable implements ItemTable {

    /** Writers of one row that meet again and again get a turn at last; more would keep a caller from its own timeout. */
    private static final int TRIES = 5;

    /** As many nodes as are asked for their time: a wrong one is outvoted. */
    private static final int MOST_CLOCKS = 5;

    private final CqlSession session;
    private final Statements statements;
    private final NodeClocks clocks;
    private final Lifetimes lifetimes;
    private final Calls calls;
    private final int mostBytes;

    /**
     * A table.
     *
     * @param mostBytes how large the response or the steps of a record may be
     */
    public RecordTable(
            CqlSession session, Statements statements, NodeClocks clocks, Lifetimes lifetimes, int mostBytes) {
        this.session = session;
        this.statements = statements;
        this.clocks = clocks;
        this.lifetimes = lifetimes;
        this.calls = new Calls(session, clocks);
        this.mostBytes = mostBytes;
    }

    Statements statements() {
        return statements;
    }

    Calls calls() {
        return calls;
    }

    @Override
    public Instant now() {
        if (clocks.isTimeToAsk()) {
            CompletableFuture<Void> unused = hearNodes();
        }
        return clocks.now();
    }

    /** Asks some nodes for their time; one that does not answer is left out. */
    public CompletableFuture<Void> hearNodes() {
        return hearNodes(session, clocks);
    }

    /** Asks some nodes of this session for their time. */
    public static CompletableFuture<Void> hearNodes(CqlSession session, NodeClocks clocks) {
        List<Node> nodes = new ArrayList<>(session.getMetadata().getNodes().values().stream()
                .filter(node -> node.getState() != NodeState.DOWN && node.getState() != NodeState.FORCED_DOWN)
                .toList());
        Collections.shuffle(nodes);
        Calls calls = new Calls(session, clocks);
        return CompletableFuture.allOf(nodes.stream()
                .limit(MOST_CLOCKS)
                .map(node -> calls.once(Statements.clock(node)).handle((answer, thrown) -> {
                    Row row = thrown == null ? answer.rows().one() : null;
                    Instant told = row == null ? null : row.getInstant(Statements.TOLD);
                    if (told != null && node.getHostId() != null) {
                        clocks.heard(node.getHostId(), told, answer.sent());
                    }
                    return null;
                }))
                .toArray(CompletableFuture[]::new));
    }

    @Override
    public CompletableFuture<Found> get(Identity identity) {
        return calls.read(statements.read(identity)).thenApply(this::found);
    }

    private CompletableFuture<Found> getSerially(Identity identity) {
        return calls.read(statements.readSerially(identity)).thenApply(this::found);
    }

    private Found found(Calls.Answer answer) {
        Row row = answer.rows().one();
        return row == null ? new Found(null, now()) : new Found(item(row), calls.heard(answer, row));
    }

    @Override
    public CompletableFuture<List<Found>> getAll(List<Identity> identities) {
        List<CompletableFuture<Found>> reads =
                identities.stream().map(this::get).toList();
        return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
                .thenApply(done -> reads.stream()
                        .map(CompletableFuture::join)
                        .filter(found -> found.item() != null)
                        .toList());
    }

    @Override
    public CompletableFuture<Outcome> put(@Nullable Item expected, Item next) {
        return put(expected, next, 1);
    }

    private CompletableFuture<Outcome> put(@Nullable Item expected, Item next, int number) {
        Instant now = now();
        return calls.once(statements.write(expected, next, lifetimes.ttl(next, now)))
                .handle(Calls.Reply::new)
                .thenCompose(reply -> reply.answer() != null
                        ? answered(reply.answer(), next)
                        : findOut(expected, next, number, reply.cause()));
    }

    private CompletableFuture<Outcome> answered(Calls.Answer answer, Item next) {
        if (answer.rows().wasApplied()) {
            return CompletableFuture.completedFuture(new Outcome(true, new Found(null, now())));
        }
        Row row = answer.rows().one();
        Item item =
                row == null || !row.getColumnDefinitions().contains(Statements.FENCE) || row.isNull(Statements.FENCE)
                        ? null
                        : item(next.identity(), row);
        Found found = new Found(item, now());
        if (item != null && item.carries(next.token())) {
            return CompletableFuture.completedFuture(new Outcome(true, found));
        }
        return restsOnTime(found)
                ? getSerially(next.identity()).thenApply(again -> new Outcome(false, again))
                : CompletableFuture.completedFuture(new Outcome(false, found));
    }

    /** Whether what was found may mean that a retention or a tombstone has ended. */
    private static boolean restsOnTime(Found found) {
        Item item = found.item();
        if (item == null) {
            return false;
        }
        StoredRecord record = item.record();
        Instant end = record == null ? null : record.times().expiresAt();
        return record == null || (end != null && !end.isAfter(found.at()));
    }

    /** A write that was not answered is looked for; it is sent again only where the row is as it was before it. */
    private CompletableFuture<Outcome> findOut(@Nullable Item expected, Item next, int number, Throwable cause) {
        if (!Calls.mayPass(cause)) {
            return CompletableFuture.failedFuture(Calls.fault(cause));
        }
        return calls.pause(isContention(cause) ? number : 1)
                .thenCompose(done -> getSerially(next.identity()))
                .handle(Calls.Reply::new)
                .thenCompose(reply -> {
                    Found found = reply.answer();
                    if (found == null) {
                        return CompletableFuture.failedFuture(notFoundOut(cause));
                    }
                    Item item = found.item();
                    if (item != null && item.carries(next.token())) {
                        return CompletableFuture.completedFuture(new Outcome(true, found));
                    }
                    if (!isSame(expected, item)) {
                        return CompletableFuture.completedFuture(new Outcome(false, found));
                    }
                    return number < TRIES
                            ? put(expected, next, number + 1)
                            : CompletableFuture.failedFuture(notFoundOut(cause));
                });
    }

    private static boolean isContention(Throwable cause) {
        return cause instanceof WriteTimeoutException || cause instanceof CASWriteUnknownException;
    }

    private static boolean isSame(@Nullable Item one, @Nullable Item other) {
        if (one == null || other == null) {
            return one == null && other == null;
        }
        return one.fence() == other.fence() && one.version() == other.version() && one.token() == other.token();
    }

    private static StoreException notFoundOut(Throwable cause) {
        return new StoreException(
                "Cassandra gave no clear answer to a conditional write (" + cause.getMessage()
                        + "). It may or may not have happened; the next claim of the key finds out.",
                cause);
    }

    static Identity identity(Row row) {
        return Identity.of(
                Objects.requireNonNull(row.getString(Statements.SCOPE)),
                Objects.requireNonNull(row.getString(Statements.KEY)));
    }

    private static Item item(Row row) {
        return item(identity(row), row);
    }

    private static Item item(Identity identity, Row row) {
        return read(
                identity,
                row,
                RowBytes.bytes(need(row, Statements.CONTENTS)),
                RowBytes.audit(need(row, Statements.AUDIT)));
    }

    /** An item of a list, which has read neither response nor steps nor audit. */
    static Item summary(Row row) {
        return read(identity(row), row, new byte[0], List.of());
    }

    private static Item read(Identity identity, Row row, byte[] contents, List<dev.semel.items.AuditBytes> audit) {
        try {
            long fence = row.getLong(Statements.FENCE);
            RowBytes.Content content = RowBytes.content(identity, fence, need(row, Statements.RECORD), contents);
            return new Item(
                    identity,
                    fence,
                    row.getLong(Statements.VERSION),
                    row.getLong(Statements.WRITE),
                    content.record(),
                    audit,
                    null,
                    content.remains());
        } catch (RuntimeException e) {
            throw new StoreException(
                    "the record of " + identity + " in Cassandra cannot be read: " + e.getMessage()
                            + ". If another program has written to its row, restore it from a backup.",
                    e);
        }
    }

    private static ByteBuffer need(Row row, String column) {
        return Objects.requireNonNull(row.getByteBuffer(column), column);
    }

    @Override
    public Deleted deleted(@Nullable Item item, Instant now) {
        return lifetimes.deleted(item, now);
    }

    @Override
    public Remains remains(Item item, Instant now) {
        return lifetimes.remains(item, now);
    }

    @Override
    public CompletableFuture<Item> separate(Item item) {
        int bytes = RowBytes.contents(item).remaining();
        return bytes <= mostBytes
                ? CompletableFuture.completedFuture(item)
                : CompletableFuture.failedFuture(
                        new StoreException(
                                "a response or the steps of an attempt have " + bytes
                                        + " bytes, more than the " + mostBytes
                                        + " that this store keeps of one record: lower the largest response that the transport records"));
    }

    @Override
    public CompletableFuture<Found> whole(Found found) {
        return CompletableFuture.completedFuture(found);
    }

    @Override
    public CompletableFuture<Void> discard(@Nullable Item before, @Nullable Item after) {
        return CompletableFuture.completedFuture(null);
    }
}

package dev.semel.items;

import dev.semel.Identity;
import dev.semel.items.ItemTable.Found;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Transitions.Deleted;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Changes of records by conditional writes.
 *
 * <ol>
 *   <li>Look at the item as this process wrote it last, or read it.
 *   <li>Decide what to make of the record. Nothing to write is an answer only if the item was read just now.
 *   <li>Write on the condition that the item has the same fence and version.
 *   <li>When that does not hold, the refusal brings the item as it is: decide again.
 * </ol>
 *
 * <p>Keeps I1 and I2: of two writers that saw the same item one is refused, and no fence and version ever come back, because fences
 * rise over the deletion of an item.
 */
final class Writes {

    private final ItemTable table;
    private final LastSeen seen = new LastSeen();
    private final AtomicLong lastFence = new AtomicLong();

    Writes(ItemTable table) {
        this.table = table;
    }

    /** An answer, and what to write with it; no record writes nothing, no note is no change worth an entry. */
    public record Step<A>(
            A answer,
            @Nullable StoredRecord write,
            @Nullable Note note) {

        public static <A> Step<A> only(A answer) {
            return new Step<>(answer, null, null);
        }
    }

    /**
     * What else a decision may need.
     *
     * @param nextFence the next fence of this identity
     * @param deleted what is left of a deleted record
     */
    public record Circumstances(Instant now, long nextFence, Deleted deleted) {}

    /** Decides on a record as it reads at this moment, or on its absence. */
    @FunctionalInterface
    public interface Decision<A> {
        Step<A> on(@Nullable StoredRecord current, Circumstances at);
    }

    static long newToken() {
        return ThreadLocalRandom.current().nextLong();
    }

    /**
     * The next fence: above the last one of the item, above the time in microseconds, so that it rises over a deletion as well, and
     * above the last one of this process, so that claims of one moment differ.
     */
    private long nextFence(@Nullable Item item, Instant now) {
        long lowest = Math.max(Codes.micros(now), item == null ? 0 : item.fence() + 1);
        return lastFence.updateAndGet(last -> Math.max(last + 1, lowest));
    }

    private <A> Step<A> decide(Found found, Decision<A> decision) {
        Item item = found.item();
        Instant now = found.at();
        return decision.on(
                item == null ? null : item.asOf(now),
                new Circumstances(now, nextFence(item, now), table.deleted(item, now)));
    }

    /** Changes the record of an identity. */
    public <A> CompletableFuture<A> change(Identity identity, Decision<A> decision) {
        Item guess = seen.get(identity);
        return guess == null ? read(identity, decision) : guessed(identity, guess, decision);
    }

    /** Decides on what is there, on the assumption that nothing is: where that is right, one round trip. */
    public <A> CompletableFuture<A> claim(Identity identity, Decision<A> decision) {
        return guessed(identity, null, decision);
    }

    /** Writes where the guess is right; that there is nothing to write is not decided on a guess. */
    private <A> CompletableFuture<A> guessed(Identity identity, @Nullable Item guess, Decision<A> decision) {
        Found assumed = new Found(guess, table.now());
        Step<A> step = decide(assumed, decision);
        return step.write() == null ? read(identity, decision) : write(identity, assumed, step, decision);
    }

    private <A> CompletableFuture<A> read(Identity identity, Decision<A> decision) {
        return table.get(identity).thenCompose(found -> on(identity, found, decision));
    }

    /** Changes the record of an item that was read just now. */
    public <A> CompletableFuture<A> on(Identity identity, Found found, Decision<A> decision) {
        return table.whole(found).thenCompose(whole -> {
            Step<A> step = decide(whole, decision);
            return step.write() == null
                    ? CompletableFuture.completedFuture(step.answer())
                    : write(identity, whole, step, decision);
        });
    }

    /** Reads the item of an identity with all of its response. */
    public CompletableFuture<Found> read(Identity identity) {
        return table.get(identity).thenCompose(table::whole);
    }

    private <A> CompletableFuture<A> write(Identity identity, Found found, Step<A> step, Decision<A> decision) {
        StoredRecord after = Objects.requireNonNull(step.write());
        Item before = found.item();
        Item next = before == null
                ? Item.first(after, Objects.requireNonNull(step.note()), newToken())
                : before.next(before.asOf(found.at()), after, step.note(), newToken());
        return table.separate(next)
                .thenCompose(item -> table.put(before, item).thenCompose(outcome -> {
                    if (outcome.written()) {
                        seen.wrote(item);
                        return table.discard(before, item).thenApply(done -> step.answer());
                    }
                    return table.discard(item, outcome.found().item())
                            .thenCompose(done -> on(identity, outcome.found(), decision));
                }));
    }

    /** Reads the item of an identity, without a response that is kept apart. */
    public CompletableFuture<Found> item(Identity identity) {
        return table.get(identity);
    }

    /** Replaces the record of an item, unless it has been changed since it was read. */
    public CompletableFuture<Boolean> replace(Item item, StoredRecord after, Note note) {
        Item next = item.next(item.record(), after, note, newToken());
        return table.put(item, next).thenCompose(outcome -> afterwards(outcome.written(), item, next));
    }

    /** Deletes the record of an item; what it leaves is deleted by the database's TTL alone. */
    public CompletableFuture<Boolean> delete(Item item, Instant now) {
        Item left = item.deleted(table.remains(item, now), newToken());
        return table.put(item, left).thenCompose(outcome -> afterwards(outcome.written(), item, left));
    }

    private CompletableFuture<Boolean> afterwards(boolean done, Item before, @Nullable Item after) {
        return done ? table.discard(before, after).thenApply(parts -> true) : CompletableFuture.completedFuture(false);
    }
}

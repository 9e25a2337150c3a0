package dev.semel.items;

import dev.semel.Identity;
import dev.semel.items.Item.Remains;
import dev.semel.spi.Transitions.Deleted;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The items of records: consistent reads, and writes on the condition that an item is as it was seen.
 *
 * <p>A call without a clear answer is found out or fails with a {@link dev.semel.StoreException}; it is never guessed.
 */
public interface ItemTable {

    /**
     * What was found; null when there is nothing.
     *
     * @param at a moment of the store's clock that is not later than the truth: that time has run out may be decided by it
     */
    record Found(@Nullable Item item, Instant at) {}

    /** What became of a write: done, or refused because of what was found instead. */
    record Outcome(boolean written, Found found) {}

    /** The time by the store's clock: what is written as the time of a change. */
    Instant now();

    /** Reads an item, consistently, and without contents that are kept apart. */
    CompletableFuture<Found> get(Identity identity);

    /** Reads items, consistently, in the order of these identities; those that are gone are left out. */
    CompletableFuture<List<Found>> getAll(List<Identity> identities);

    /** Writes an item where it finds the expected one, or none if none is expected. */
    CompletableFuture<Outcome> put(@Nullable Item expected, Item next);

    /** What the store knows of a record that it has deleted. */
    Deleted deleted(@Nullable Item item, Instant now);

    /** What stays of an item when its record is deleted at this moment. */
    Remains remains(Item item, Instant now);

    /** The item as it can be written: contents that are too large for it are written apart. */
    CompletableFuture<Item> separate(Item item);

    /** What was found, with all of its contents, wherever they are. */
    CompletableFuture<Found> whole(Found found);

    /** Deletes what was kept apart for an item and is not for the next one. */
    CompletableFuture<Void> discard(@Nullable Item before, @Nullable Item after);
}

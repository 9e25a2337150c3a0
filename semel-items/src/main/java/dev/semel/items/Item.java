package dev.semel.items;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is stored under an identity: a record with its audit, or what is left of a deleted record.
 *
 * @param version one more with every write; fence and version together name one state of one item for ever
 * @param token unique to the write that made the item what it is
 * @param record null when the record was deleted
 * @param parts where the response or the steps are, when they are too large for the item; as it is read, the record has none then
 * @param remains null unless the record was deleted
 */
public record Item(
        Identity identity,
        long fence,
        long version,
        long token,
        @Nullable StoredRecord record,
        List<AuditBytes> audit,
        @Nullable Parts parts,
        @Nullable Remains remains) {

    /**
     * What is left of a deleted record, beside its fence.
     *
     * @param deletedAt when it was deleted, or when its retention ended if that is later
     * @param until until when it is a tombstone; null when it is none
     */
    public record Remains(Instant deletedAt, @Nullable Instant until) {}

    /** Contents of a record as items of their own. */
    public record Parts(long token, int count) {}

    /** The first version of an item. */
    static Item first(StoredRecord record, Note note, long token) {
        AuditEntry entry = AuditEntry.of(1, null, record, note);
        return new Item(
                record.identity(), record.fence(), 1, token, record, List.of(AuditBytes.of(entry, token)), null, null);
    }

    /** This item with the record after a change; no note is no change worth an entry. */
    Item next(@Nullable StoredRecord seen, StoredRecord after, @Nullable Note note, long newToken) {
        List<AuditBytes> entries = new ArrayList<>(audit);
        if (note != null) {
            entries.add(AuditBytes.of(AuditEntry.of(entries.size() + 1L, seen, after, note), newToken));
        }
        Item.Parts kept = record != null && hasSameContents(record, after) ? parts : null;
        return new Item(identity, after.fence(), version + 1, newToken, after, entries, kept, null);
    }

    /** Whether what is kept apart is the same: a response never changes under its fence, steps only grow. */
    private static boolean hasSameContents(StoredRecord before, StoredRecord after) {
        boolean completed = before.state() == State.COMPLETED;
        return completed == (after.state() == State.COMPLETED)
                && (completed
                        ? before.fence() == after.fence()
                        : !after.steps().isEmpty() && after.steps().equals(before.steps()));
    }

    /** What stays of this item when its record is deleted. */
    Item deleted(Remains left, long newToken) {
        return new Item(identity, fence, version + 1, newToken, null, List.of(), null, left);
    }

    /** This item with all of its record. */
    public Item with(StoredRecord whole) {
        return new Item(identity, fence, version, token, whole, audit, parts, null);
    }

    /** This item with its contents kept there. */
    public Item inParts(Parts where) {
        return new Item(identity, fence, version, token, record, audit, where, null);
    }

    /** Whether the write with this token is in the history of this item. */
    public boolean carries(long writeToken) {
        return token == writeToken || audit.stream().anyMatch(entry -> entry.token() == writeToken);
    }

    /** The record as it reads at this moment, or at its last change if that was later: clocks of processes differ a little. */
    public @Nullable StoredRecord asOf(Instant now) {
        if (record == null) {
            return null;
        }
        Instant updated = record.times().updatedAt();
        return Changes.asOf(record, now.isBefore(updated) ? updated : now);
    }

    /** The entries of the audit, oldest first. */
    public List<AuditEntry> history() {
        return AuditBytes.entries(identity, audit);
    }
}

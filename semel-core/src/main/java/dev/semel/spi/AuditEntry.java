package dev.semel.spi;

import dev.semel.Evidence;
import dev.semel.Identity;
import dev.semel.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One change of one record: what became of it, who did it, and why.
 *
 * @param number rises with every entry of a record; entries of different records need not compare
 * @param at by the store's clock
 * @param fence of the record after the change
 * @param from null when there was no record; {@link State#EXPIRED} when its retention had passed
 * @param who the holder of the claim, the source of the evidence, or what of Semel itself did it
 * @param why a short code, the name of a step, or the evidence's detail; null where the change says it all
 */
public record AuditEntry(
        Identity identity,
        long number,
        Instant at,
        Change change,
        long fence,
        @Nullable State from,
        State to,
        String who,
        @Nullable String why) {

    /** Who acts when the sweeper notices an expired lease. */
    public static final String SWEEPER = "sweeper";

    /** Who acts when retention has passed. */
    public static final String PRUNING = "pruning";

    /** Who wrote a change and why: what a store adds to the record before and after it. */
    public record Note(Change change, String who, @Nullable String why) {

        /** The note of evidence. */
        public static Note of(Change change, Evidence evidence) {
            return new Note(change, evidence.source(), evidence.detail());
        }
    }

    /** The entry for a record that was written; {@code before} is null when there was none. */
    public static AuditEntry of(long number, @Nullable StoredRecord before, StoredRecord after, Note note) {
        return new AuditEntry(
                after.identity(),
                number,
                after.times().updatedAt(),
                note.change(),
                after.fence(),
                before == null ? null : before.state(),
                after.state(),
                note.who(),
                note.why());
    }
}

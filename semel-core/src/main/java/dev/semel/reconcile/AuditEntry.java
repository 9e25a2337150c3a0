package dev.semel.reconcile;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord.Holder;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
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

    /** An outline of the request is for comparing requests, and belongs to the record alone. */
    public AuditEntry {
        who = change.audited(who);
    }

    /** Who did it, without the request of a claim. */
    public String actor() {
        return change.isOfHolder() ? Holder.nameIn(who) : who;
    }

    /** What the caller said of the request whose claim this is about; null when it said nothing, or no claim did it. */
    public @Nullable String request() {
        return change.isOfHolder() ? Holder.requestIn(who) : null;
    }

    /** When the attempt with this fence was completed, by a history; null when it was not. */
    public static @Nullable Instant completedAt(List<AuditEntry> history, long fence) {
        return history.stream()
                .filter(entry -> entry.fence() == fence && entry.to() == State.COMPLETED)
                .map(AuditEntry::at)
                .findFirst()
                .orElse(null);
    }

    /** Who wrote a change and why: what a store adds to the record before and after it. */
    public record Note(Change change, String who, @Nullable String why) {

        public Note {
            who = change.audited(who);
        }

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
                note.change().changesRecord()
                        ? after.times().updatedAt()
                        : after.times().asOf(),
                note.change(),
                after.fence(),
                before == null ? null : before.state(),
                after.state(),
                note.who(),
                note.why());
    }

    /** What an {@link AuditEntry} says was done to a record. */
    public enum Change {
        /** A claim was granted on an absent or expired record, or after an attempt that had no effect. */
        GRANTED,
        /** A claim was granted because the lease before it had expired and the operation is re-executable. */
        TAKEN_OVER,
        /** The attempt recorded a step. */
        STEP,
        /** The attempt ended; from {@code unknown}, this is its late answer. */
        SETTLED,
        /** The lease had expired, and it is not known how far the attempt got. */
        GIVEN_UP,
        /** The lease had expired, and the next claim may take over. */
        REOFFERED,
        /** Evidence settled an unknown outcome. */
        RECONCILED,
        /** The outcome could not be told yet; the resolver is asked again later. */
        RESCHEDULED,
        /** Asked too often without an answer: a person has to decide. */
        DEAD_LETTERED,
        /** A person had the search begin anew. */
        REQUEUED,
        /** Retention had passed. */
        EXPIRED,
        /** A person read the recorded response; of an unknown outcome, a recorded step, or looked and could not tell. */
        VIEWED,
        /** A person wants to settle the unknown outcome, and a second one has to agree. */
        PROPOSED,
        /** A person let the record expire before its retention had passed. */
        FORGOTTEN,
        /** A caller asked for the recorded response, and was not allowed to have it. */
        REPLAY_REFUSED;

        /** Whether the entry describes a change of the record, and not only that a caller or a person asked for something. */
        public boolean changesRecord() {
            return this != VIEWED && this != PROPOSED && this != REPLAY_REFUSED;
        }

        /** Whether the holder of a claim makes it, or a claim that notices what became of an earlier one. */
        boolean isOfHolder() {
            return switch (this) {
                case GRANTED, TAKEN_OVER, STEP, SETTLED, GIVEN_UP -> true;
                case REOFFERED,
                        RECONCILED,
                        RESCHEDULED,
                        DEAD_LETTERED,
                        REQUEUED,
                        EXPIRED,
                        VIEWED,
                        PROPOSED,
                        FORGOTTEN,
                        REPLAY_REFUSED -> false;
            };
        }

        private String audited(String who) {
            return isOfHolder() ? Holder.withoutOutline(who) : who;
        }

        /** The name in databases and messages. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        /**
         * The change with this label.
         *
         * @throws IllegalArgumentException when there is none
         */
        public static Change ofLabel(String label) {
            return valueOf(label.toUpperCase(Locale.ROOT));
        }
    }
}

package dev.semel.spring.actuate;

import dev.semel.Evidence;
import dev.semel.State;
import dev.semel.spi.AuditEntry;
import dev.semel.spi.StoredRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the store knows of a key: everything but the response.
 *
 * @param key as logs name it; whoever asks knows the key
 * @param holder who made the last granted claim
 * @param reconciling how the search for evidence goes, while the outcome is unknown
 * @param responseBytes how much the recorded response takes in the store
 * @param stepBytes how much the recorded steps take in the store
 * @param history what happened to the record, oldest first
 */
record RecordView(
        String scope,
        String key,
        String operation,
        String state,
        @Nullable String reason,
        long fence,
        int attempts,
        String holder,
        boolean reexecutable,
        Times times,
        @Nullable Search reconciling,
        @Nullable Integer responseBytes,
        int stepBytes,
        @Nullable Evidence evidence,
        List<Entry> history) {

    /** Points in time by the store's clock; {@code asOf} is when it looked. */
    record Times(
            Instant created,
            Instant claimed,
            Instant updated,
            @Nullable Instant inDoubtSince,
            @Nullable Instant lockedUntil,
            @Nullable Instant expires,
            Instant asOf) {

        static Times of(StoredRecord.Times times) {
            return new Times(
                    times.createdAt(),
                    times.claimedAt(),
                    times.updatedAt(),
                    times.doubtSince(),
                    times.lockedUntil(),
                    times.expiresAt(),
                    times.asOf());
        }
    }

    /** @param nextTryAt absent when nobody asks any more and a person has to decide */
    record Search(Instant unknownSince, int tries, @Nullable Instant nextTryAt, boolean deadLettered) {

        static @Nullable Search of(StoredRecord.@Nullable Reconciling reconciling) {
            return reconciling == null
                    ? null
                    : new Search(
                            reconciling.since(),
                            reconciling.tries(),
                            reconciling.nextTryAt(),
                            reconciling.isDeadLettered());
        }
    }

    /** One change of the record. */
    record Entry(
            Instant at,
            String change,
            String from,
            String to,
            long fence,
            String who,
            @Nullable String why) {

        static Entry of(AuditEntry entry) {
            State from = entry.from();
            return new Entry(
                    entry.at(),
                    entry.change().label(),
                    from == null ? "absent" : from.label(),
                    entry.to().label(),
                    entry.fence(),
                    entry.who(),
                    entry.why());
        }
    }

    static RecordView of(StoredRecord record, List<AuditEntry> history) {
        return new RecordView(
                record.identity().scope().value(),
                record.identity().key().redacted(),
                record.operation(),
                record.state().label(),
                record.reason(),
                record.fence(),
                record.attempts(),
                record.holder(),
                record.reexecutable(),
                Times.of(record.times()),
                Search.of(record.reconciling()),
                record.response() == null ? null : record.response().size(),
                record.steps().bytes().length,
                record.evidence(),
                history.stream().map(Entry::of).toList());
    }
}

package dev.semel.spring.actuate;

import dev.semel.State;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Holder;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A record without its response.
 *
 * @param key redacted as in logs; the caller has sent the key itself
 * @param holder the process of the last granted claim
 * @param request of that claim, such as {@code POST /payments}; absent where requests are not described
 * @param reconciling the state of the reconciliation, while the outcome is unknown
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
        @Nullable String request,
        boolean reexecutable,
        Times times,
        @Nullable Search reconciling,
        @Nullable Integer responseBytes,
        int stepBytes,
        @Nullable Evidence evidence,
        List<Entry> history) {

    /** Points in time by the store's clock; {@code asOf} is when the record was read. */
    record Times(
            Instant created,
            Instant claimed,
            @Nullable Instant completed,
            Instant updated,
            @Nullable Instant inDoubtSince,
            @Nullable Instant lockedUntil,
            @Nullable Instant expires,
            Instant asOf) {

        static Times of(StoredRecord.Times times, @Nullable Instant completed) {
            return new Times(
                    times.createdAt(),
                    times.claimedAt(),
                    completed,
                    times.updatedAt(),
                    times.doubtSince(),
                    times.lockedUntil(),
                    times.expiresAt(),
                    times.asOf());
        }
    }

    /**
     * The state of the reconciliation.
     *
     * @param nextTryAt absent when no reconciler tries any more and a person has to decide
     * @param resolver whether this application has a resolver for the operation; another application may have one
     */
    record Search(
            Instant unknownSince, int tries, @Nullable Instant nextTryAt, boolean deadLettered, boolean resolver) {

        static @Nullable Search of(StoredRecord.@Nullable Reconciling reconciling, boolean resolver) {
            return reconciling == null
                    ? null
                    : new Search(
                            reconciling.since(),
                            reconciling.tries(),
                            reconciling.nextTryAt(),
                            reconciling.isDeadLettered(),
                            resolver);
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
            @Nullable String request,
            @Nullable String why) {

        static Entry of(AuditEntry entry) {
            State from = entry.from();
            return new Entry(
                    entry.at(),
                    entry.change().label(),
                    from == null ? "absent" : from.label(),
                    entry.to().label(),
                    entry.fence(),
                    entry.actor(),
                    entry.request(),
                    entry.why());
        }
    }

    static RecordView of(StoredRecord record, List<AuditEntry> history, boolean resolver) {
        return new RecordView(
                record.identity().scope().value(),
                record.identity().key().redacted(),
                record.operation(),
                record.state().label(),
                record.reason(),
                record.fence(),
                record.attempts(),
                Holder.nameIn(record.holder()),
                record.request(),
                record.reexecutable(),
                Times.of(record.times(), AuditEntry.completedAt(history, record.fence())),
                Search.of(record.reconciling(), resolver),
                record.response() == null ? null : record.response().size(),
                record.steps().bytes().length,
                record.evidence(),
                history.stream().map(Entry::of).toList());
    }
}

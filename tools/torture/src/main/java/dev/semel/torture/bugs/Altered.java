package dev.semel.torture.bugs;

import dev.semel.reconcile.StoredRecord;
import java.time.Instant;

/** Records with one thing changed. */
final class Altered {

    private Altered() {}

    /** As if the store had looked at this moment. */
    static StoredRecord asOf(StoredRecord record, Instant now) {
        StoredRecord.Times times = record.times();
        return with(
                record,
                record.fence(),
                new StoredRecord.Times(
                        now,
                        times.createdAt(),
                        times.updatedAt(),
                        times.claimedAt(),
                        times.doubtSince(),
                        times.lockedUntil(),
                        times.expiresAt()));
    }

    static StoredRecord fence(StoredRecord record, long fence) {
        return with(record, fence, record.times());
    }

    private static StoredRecord with(StoredRecord record, long fence, StoredRecord.Times times) {
        return new StoredRecord(
                record.identity(),
                record.operation(),
                record.fingerprint(),
                record.state(),
                fence,
                record.attempts(),
                record.reexecutable(),
                record.holder(),
                times,
                record.response(),
                record.reason(),
                record.evidence(),
                record.steps(),
                record.reconciling());
    }
}

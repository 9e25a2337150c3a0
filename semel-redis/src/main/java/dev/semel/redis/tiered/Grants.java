package dev.semel.redis.tiered;

import dev.semel.Lease;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of leases that this process was granted and has not settled: the answer to a settlement does not contain the
 * record, which the copy needs. The number is limited; a record that was dropped for a newer one is copied at its first replay.
 */
final class Grants {

    /** More than run at once in one process; a few megabytes even with the longest names. */
    static final int MAX = 10_000;

    private final Map<Lease, StoredRecord> records = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Lease, StoredRecord> eldest) {
            return size() > MAX;
        }
    };

    /** Adds a record without its steps, which can be large: a completed record has none. */
    synchronized void add(StoredRecord record) {
        records.put(record.lease(), withoutSteps(record));
    }

    synchronized @Nullable StoredRecord remove(Lease lease) {
        return records.remove(lease);
    }

    synchronized int size() {
        return records.size();
    }

    private static StoredRecord withoutSteps(StoredRecord record) {
        return new StoredRecord(
                record.identity(),
                record.operation(),
                record.fingerprint(),
                record.state(),
                record.fence(),
                record.attempts(),
                record.reexecutable(),
                record.holder(),
                record.times(),
                record.response(),
                record.reason(),
                record.evidence(),
                Steps.NONE,
                record.reconciling());
    }
}

package dev.semel.redis;

import dev.semel.Lease;
import dev.semel.reconcile.Steps;
import dev.semel.reconcile.StoredRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The records of leases that were granted here and have not ended here, since a settlement alone does not tell what it
 * completes. There are at most so many; the oldest makes room, and its completion is copied at its first replay instead.
 */
final class Grants {

    /** More than run at once in one process; with the longest names there are, a few megabytes. */
    static final int MOST = 10_000;

    private final Map<Lease, StoredRecord> records = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Lease, StoredRecord> eldest) {
            return size() > MOST;
        }
    };

    /** Without its steps, which can be large: a completed record has none. */
    synchronized void remember(StoredRecord record) {
        records.put(record.lease(), withoutSteps(record));
    }

    synchronized @Nullable StoredRecord forget(Lease lease) {
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

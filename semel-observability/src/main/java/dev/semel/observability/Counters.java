package dev.semel.observability;

import dev.semel.engine.Event;
import dev.semel.engine.SemelListener;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * A listener that counts events by the name of their metric and by operation, never by key.
 *
 * <p>Events without an operation, such as pruning, are counted under the operation {@link #NONE}.
 */
public final class Counters implements SemelListener {

    /** The operation of events about many records at once. */
    public static final String NONE = "";

    public static final String CREATED = "api.idempotency.reserve.created";
    public static final String REPLAY = "api.idempotency.reserve.replay";
    public static final String IN_PROGRESS = "api.idempotency.reserve.in_progress";
    public static final String KEY_MISUSE = "api.idempotency.reserve.key_misuse";
    public static final String FAILED_RETRY = "api.idempotency.reserve.failed_retry";
    public static final String UNKNOWN = "api.idempotency.reserve.unknown";

    /** Callers that may not have what is on record; where a replay was found, it is also counted as a replay. */
    public static final String REPLAY_REFUSED = "api.idempotency.replay.refused";

    /** Replays that were refused because the check of the caller's rights failed. */
    public static final String REPLAY_CHECK_FAILED = "api.idempotency.replay.check_failed";

    /** Retries that came after the retention of their keys, and were refused. */
    public static final String KEY_EXPIRED = "api.idempotency.reserve.key_expired";

    /** Keys whose time the store's clock has not reached: clients whose clocks are ahead. */
    public static final String KEY_FROM_FUTURE = "api.idempotency.reserve.key_from_future";

    /** Replays from memory; they are also counted as replays. */
    public static final String CACHE_HIT = "api.idempotency.cache.hit";

    public static final String CACHE_ERROR = "api.idempotency.cache.error";
    public static final String STORE_ERROR = "api.idempotency.store.error";
    public static final String ZOMBIE_KEY = "api.idempotency.zombie_key";
    public static final String TTL_PRUNED = "api.idempotency.ttl_pruned";
    public static final String RECONCILE_SCHEDULED = "api.idempotency.reconcile.scheduled";
    public static final String RECONCILE_RESOLVED = "api.idempotency.reconcile.resolved";
    public static final String RECONCILE_FAILED = "api.idempotency.reconcile.failed";

    /** Keys that look like personal data or are easy to guess, accepted and refused ones. */
    public static final String KEY_HYGIENE = "api.idempotency.key_hygiene";

    /** One counter. */
    public record Counter(String name, String operation) implements Comparable<Counter> {

        @Override
        public int compareTo(Counter other) {
            int names = name.compareTo(other.name);
            return names == 0 ? operation.compareTo(other.operation) : names;
        }

        /** For example {@code api.idempotency.reserve.created{charge}}. */
        @Override
        public String toString() {
            return operation.equals(NONE) ? name : name + "{" + operation + "}";
        }
    }

    /** Receives counts. */
    @FunctionalInterface
    public interface Tally {
        void add(String name, String operation, long more);
    }

    private final ConcurrentMap<Counter, LongAdder> counts = new ConcurrentHashMap<>();
    private final Tally own = this::count;

    @Override
    public void on(Event event) {
        count(event, own);
    }

    /** Passes the counts of an event to a tally, for listeners that keep their counts elsewhere. */
    public static void count(Event event, Tally tally) {
        if (event instanceof Event.Pruned pruned) {
            tally.add(TTL_PRUNED, NONE, pruned.records());
        } else if (event instanceof Event.BatchFault) {
            tally.add(STORE_ERROR, NONE, 1);
        } else if (event instanceof Event.CacheFault) {
            tally.add(CACHE_ERROR, NONE, 1);
        } else if (event instanceof Event.PoorKey poor) {
            tally.add(KEY_HYGIENE, poor.operation(), 1);
        } else if (event instanceof Event.OfRecord ofRecord) {
            String name = nameOf(ofRecord);
            if (!name.isEmpty()) {
                tally.add(name, ofRecord.operation(), 1);
            }
            if (event instanceof Event.Replayed replayed && replayed.near()) {
                tally.add(CACHE_HIT, replayed.operation(), 1);
            }
        }
    }

    private static String nameOf(Event.OfRecord event) {
        if (event instanceof Event.Granted granted) {
            return granted.retry() ? FAILED_RETRY : CREATED;
        }
        if (event instanceof Event.Replayed) {
            return REPLAY;
        }
        if (event instanceof Event.RefusedInProgress) {
            return IN_PROGRESS;
        }
        if (event instanceof Event.RefusedMismatch) {
            return KEY_MISUSE;
        }
        if (event instanceof Event.RefusedUnknown) {
            return UNKNOWN;
        }
        if (event instanceof Event.ReplayRefused refused) {
            return refused.decided() ? REPLAY_REFUSED : REPLAY_CHECK_FAILED;
        }
        if (event instanceof Event.RefusedExpired) {
            return KEY_EXPIRED;
        }
        if (event instanceof Event.RefusedFromFuture) {
            return KEY_FROM_FUTURE;
        }
        if (event instanceof Event.StoreFault) {
            return STORE_ERROR;
        }
        if (event instanceof Event.ZombieKey) {
            return ZOMBIE_KEY;
        }
        return nameOfReconciliation(event);
    }

    private static String nameOfReconciliation(Event.OfRecord event) {
        if (event instanceof Event.ReconcileScheduled) {
            return RECONCILE_SCHEDULED;
        }
        if (event instanceof Event.Reconciled) {
            return RECONCILE_RESOLVED;
        }
        return event instanceof Event.ReconcileFailed ? RECONCILE_FAILED : "";
    }

    private void count(String name, String operation, long more) {
        counts.computeIfAbsent(new Counter(name, operation), counter -> new LongAdder())
                .add(more);
    }

    /** Returns the current value of a counter, over all operations. */
    public long of(String name) {
        return counts.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(name))
                .mapToLong(entry -> entry.getValue().sum())
                .sum();
    }

    /** Returns the current value of a counter for an operation. */
    public long of(String name, String operation) {
        LongAdder count = counts.get(new Counter(name, operation));
        return count == null ? 0 : count.sum();
    }

    /** Returns every counter that is not zero, by name and operation. */
    public SortedMap<Counter, Long> snapshot() {
        SortedMap<Counter, Long> snapshot = new TreeMap<>();
        counts.forEach((counter, count) -> snapshot.put(counter, count.sum()));
        return Collections.unmodifiableSortedMap(snapshot);
    }
}

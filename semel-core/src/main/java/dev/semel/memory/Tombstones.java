package dev.semel.memory;

import dev.semel.Identity;
import dev.semel.State;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Transitions.Deleted;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicReference;

/** What is left of deleted records: until when each is known, and the highest time at which any was deleted. */
final class Tombstones {

    private final Duration keep;
    private final ConcurrentMap<ByteBuffer, Tombstone> kept = new ConcurrentHashMap<>();
    private final AtomicReference<Instant> deletedUpTo = new AtomicReference<>(Instant.EPOCH);

    Tombstones(Duration keep) {
        this.keep = keep;
    }

    private record Tombstone(String operation, State state, Instant deletedAt, Instant until) {}

    Deleted of(Identity identity) {
        boolean keeps = !keep.isZero();
        return new Deleted(
                keeps, keeps && kept.containsKey(digest(identity)), Objects.requireNonNull(deletedUpTo.get()));
    }

    /** To be called while the record is still there. */
    void add(StoredRecord deleted, Instant now) {
        deletedUpTo.accumulateAndGet(now, Tombstones::later);
        Instant end = deleted.times().expiresAt();
        if (end != null) {
            // A marked record may be deleted while a clock that was set back has not reached its end again.
            deletedUpTo.accumulateAndGet(end, Tombstones::later);
        }
        if (!keep.isZero() && !StoredRecord.FORGOTTEN.equals(deleted.reason())) {
            kept.put(
                    digest(deleted.identity()),
                    new Tombstone(deleted.operation(), deleted.state(), now, now.plus(keep)));
        }
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    /** Removes at most so many whose time has passed, oldest first. */
    void prune(int limit, Instant now) {
        kept.entrySet().stream()
                .filter(entry -> !entry.getValue().until().isAfter(now))
                .sorted(Map.Entry.comparingByValue(Comparator.comparing(Tombstone::until)))
                .limit(limit)
                .forEach(entry -> kept.remove(entry.getKey(), entry.getValue()));
    }

    private static ByteBuffer digest(Identity identity) {
        return ByteBuffer.wrap(identity.digest());
    }
}

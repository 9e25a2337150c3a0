package dev.semel.testkit;

import dev.semel.engine.Store;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.stores.CountingStore;
import java.time.Duration;

/** A store in memory, in time that passes on demand. */
final class MemoryHarness implements StoreHarness {

    private final ManualTime time = new ManualTime();
    private volatile Duration setBack = Duration.ZERO;
    private final CountingStore store;

    MemoryHarness() {
        this(Duration.ZERO);
    }

    /** A store that keeps tombstones for so long. */
    MemoryHarness(Duration tombstones) {
        this.store = new CountingStore(new MemoryStore(() -> time.instant().minus(setBack), tombstones));
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public Store another() {
        return store;
    }

    @Override
    public void elapse(Duration duration) {
        if (duration.isNegative()) {
            setBack = setBack.minus(duration);
        } else {
            time.advance(duration);
        }
    }

    @Override
    public long roundTrips() {
        return store.calls();
    }

    @Override
    public void close() {
        store.close();
    }
}

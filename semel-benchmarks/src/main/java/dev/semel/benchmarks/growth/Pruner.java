package dev.semel.benchmarks.growth;

import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A thread that prunes while others work. */
final class Pruner {

    /** As many as the engine takes at a time. */
    static final int BATCH = 500;

    /** Between two looks whether it is time. */
    private static final long PAUSE_NANOS = 1_000_000;

    private final AtomicLong pruned;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable RuntimeException failure;

    /**
     * Starts at once.
     *
     * @param due whether it is time for the next batch
     * @param pruned counts what was pruned
     */
    Pruner(Store store, BooleanSupplier due, AtomicLong pruned) {
        this.pruned = pruned;
        this.thread = new Thread(() -> run(store, due));
        thread.setName("pruner");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(Store store, BooleanSupplier due) {
        try {
            while (!stopped) {
                if (due.getAsBoolean()) {
                    pruned.addAndGet(store.prune(BATCH, Expiry.DELETE));
                } else {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        } catch (StoreException e) {
            failure = e;
        }
    }

    void stop() throws InterruptedException {
        stopped = true;
        thread.join();
        if (failure != null) {
            throw failure;
        }
    }
}

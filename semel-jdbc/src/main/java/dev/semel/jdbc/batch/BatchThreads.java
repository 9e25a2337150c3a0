package dev.semel.jdbc.batch;

import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon threads of a store's batchers: workers that flush batches and complete their calls, and one timer.
 *
 * <p>A lane seldom uses more than two workers: one completes the calls of a batch while another flushes the next. Their number
 * has no bound, so that callers' code that blocks costs threads and not the progress of other callers.
 */
public final class BatchThreads implements AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    /**
     * Longer than a batch usually takes. One that takes longer waits for a lock, such as that of a transaction of the
     * application's; other calls need not wait with it.
     */
    private static final long FALLBACK_MILLIS = 20;

    private final ThreadPoolExecutor workers;
    private final ScheduledThreadPoolExecutor timer;

    /** @param store named like {@code postgresql}, which becomes part of the names of its threads */
    public BatchThreads(String store) {
        AtomicInteger number = new AtomicInteger();
        workers = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                task -> daemon(task, "semel-" + store + "-batch-" + number.incrementAndGet()));
        timer = new ScheduledThreadPoolExecutor(1, task -> daemon(task, "semel-" + store + "-batch-timer"));
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        // It outlives the caller for which it was started, and must not keep that caller's classes in memory.
        thread.setContextClassLoader(BatchThreads.class.getClassLoader());
        return thread;
    }

    Executor workers() {
        return workers;
    }

    /** Runs a task after a short while, on the timer's thread: it must do no more than start a worker. */
    Executor later() {
        return task -> {
            ScheduledFuture<?> unused = timer.schedule(task, FALLBACK_MILLIS, TimeUnit.MILLISECONDS);
        };
    }

    @Override
    public void close() {
        workers.shutdown();
        timer.shutdownNow();
    }
}

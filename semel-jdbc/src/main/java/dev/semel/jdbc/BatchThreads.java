package dev.semel.jdbc;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon threads on which batches are flushed and their callers told.
 *
 * <p>A lane has seldom use for more than two: one tells the callers of a batch while another flushes the next. There is no
 * bound, so that callers who block in what they are told cost threads and not everybody's progress.
 */
final class BatchThreads implements Executor, AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor executor;

    BatchThreads(String name) {
        executor = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    // It outlives whoever needed it first, and must not hold that one's classes.
                    thread.setContextClassLoader(BatchThreads.class.getClassLoader());
                    return thread;
                });
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}

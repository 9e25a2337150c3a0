package dev.semel.jdbc;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The daemon threads on which batches are flushed and their callers told. None is there while nothing is to do. */
final class BatchThreads implements Executor, AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor executor;

    /** Two for each lane: while one tells the callers of a batch, another one flushes the next. */
    BatchThreads(String name, int lanes) {
        executor = new ThreadPoolExecutor(
                2 * lanes, 2 * lanes, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
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

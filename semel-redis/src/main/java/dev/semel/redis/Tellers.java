package dev.semel.redis;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The daemon threads that run what depends on answers. There is no bound, so that callers who block in what they are told
 * cost threads and not everybody's progress.
 */
final class Tellers implements Executor, AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    private final AtomicInteger number = new AtomicInteger();
    private final ThreadPoolExecutor executor = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "semel-redis-" + number.incrementAndGet());
                thread.setDaemon(true);
                // It outlives whoever needed it first, and must not hold that one's classes.
                thread.setContextClassLoader(Tellers.class.getClassLoader());
                return thread;
            });

    @Override
    public void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException closed) {
            // The last answers, which say that the store is closed.
            task.run();
        }
    }

    @Override
    public void close() {
        executor.shutdown();
    }
}

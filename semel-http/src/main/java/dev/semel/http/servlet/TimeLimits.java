package dev.semel.http.servlet;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The timer of a filter, for handlers whose clients have disconnected. Its daemon threads are named {@value #THREAD}; they
 * start with the first time limit, and end when there is none left.
 */
final class TimeLimits implements AutoCloseable {

    static final String THREAD = "semel-http-timer";

    /** A store that keeps one thread waiting must not delay every other limit. */
    private static final int THREADS = 2;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private @Nullable ScheduledThreadPoolExecutor executor;

    /** Runs the task once after the delay, unless the filter is destroyed before. */
    synchronized void after(Duration delay, Runnable task) {
        if (executor == null) {
            executor = newExecutor();
        }
        ScheduledFuture<?> unused = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    private static ScheduledThreadPoolExecutor newExecutor() {
        ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, THREAD);
            thread.setDaemon(true);
            // Not that of the web application whose request happened to be the first.
            thread.setContextClassLoader(TimeLimits.class.getClassLoader());
            return thread;
        });
        executor.setKeepAliveTime(IDLE.toNanos(), TimeUnit.NANOSECONDS);
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Drops every limit. The records of those handlers become unknown when their leases expire. */
    @Override
    public synchronized void close() {
        if (executor != null) {
            executor.shutdownNow();
            executor = null;
        }
    }
}

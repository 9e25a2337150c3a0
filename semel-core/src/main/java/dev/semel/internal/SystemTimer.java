package dev.semel.internal;

import dev.semel.spi.Timer;
import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The timer of an engine in production: the machine's monotonic clock and a few daemon threads. */
public final class SystemTimer implements Timer, AutoCloseable {

    /** A store call that hangs on one thread must not keep every other lease from its heartbeat. */
    private static final int THREADS = 4;

    private final ScheduledThreadPoolExecutor executor;

    public SystemTimer() {
        executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "semel-timer");
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        // What is scheduled while the timer closes is as void as what was scheduled before.
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Cancellable after(Duration delay, Runnable task) {
        ScheduledFuture<?> scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public void pause(Duration delay) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(delay.toNanos());
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}

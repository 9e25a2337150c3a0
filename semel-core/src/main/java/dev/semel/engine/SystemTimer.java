package dev.semel.engine;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The timer of an engine in production: the machine's monotonic clock and a few daemon threads.
 *
 * <p>Most tasks are heartbeats, and most of these are cancelled long before they are due. Scheduling one on an empty queue
 * would wake a thread, only to let it see that there is nothing to do yet, and would cost more than the rest of a short
 * request. So while such tasks come and go, there is another one before them, and a thread wakes twice a second instead.
 */
final class SystemTimer implements Timer, AutoCloseable {

    /** A store call that hangs on one thread must not keep every other lease from its heartbeat. */
    private static final int THREADS = 4;

    /** Much less than the shortest heartbeat that is worth it, much more than a wake-up costs. */
    private static final Duration WATCH = Duration.ofMillis(500);

    private final ScheduledThreadPoolExecutor executor;
    private final AtomicBoolean watching = new AtomicBoolean();

    SystemTimer() {
        executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
            Thread thread = new Thread(task, "semel-timer");
            thread.setDaemon(true);
            // The thread outlives the caller that started it, and must not hold that caller's class loader.
            thread.setContextClassLoader(SystemTimer.class.getClassLoader());
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
        if (delay.compareTo(WATCH) > 0) {
            beginWatch();
        }
        ScheduledFuture<?> scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    private void beginWatch() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            ScheduledFuture<?> unused = executor.schedule(this::watch, WATCH.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Goes on as long as there is anything else to wait for. */
    private void watch() {
        watching.set(false);
        if (!executor.getQueue().isEmpty()) {
            beginWatch();
        }
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

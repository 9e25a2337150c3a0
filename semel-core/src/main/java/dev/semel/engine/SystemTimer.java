package dev.semel.engine;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The timer of an engine in production: the machine's monotonic clock and a few daemon threads.
 *
 * <p>Most tasks are heartbeats, and most of these are cancelled long before they are due. An executor's queue has one lock for
 * all of them, and scheduling on an empty one wakes a thread: both would cost more than the rest of a short request. So tasks
 * that are not due soon wait in a set without an order. Twice a second, while there are any, a thread gives those that have
 * become due soon to the executor.
 */
final class SystemTimer implements Timer, AutoCloseable {

    /** A store call that hangs on one thread must not keep every other lease from its heartbeat. */
    private static final int THREADS = 4;

    private static final Duration WATCH = Duration.ofMillis(500);

    /** Two watches: a task that is added behind a watch's back is found by the next one in time. */
    private static final long SOON_NANOS = 2 * WATCH.toNanos();

    private final ScheduledThreadPoolExecutor executor;
    private final AtomicBoolean watching = new AtomicBoolean();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();

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
        if (delay.toNanos() > SOON_NANOS) {
            Waiting later = new Waiting(nanos() + delay.toNanos(), task);
            waiting.add(later);
            beginWatch();
            return later;
        }
        ScheduledFuture<?> scheduled = executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    private void beginWatch() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            ScheduledFuture<?> unused = executor.schedule(this::watch, WATCH.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Goes on as long as a task waits: one that is added after the look at the set finds that no watch goes on, and begins one. */
    private void watch() {
        watching.set(false);
        if (!waiting.isEmpty()) {
            beginWatch();
        }
        long now = nanos();
        for (Waiting task : waiting) {
            if (task.dueNanos - now <= SOON_NANOS) {
                task.schedule(now);
            }
        }
    }

    /** A task that is not due soon. */
    private final class Waiting implements Cancellable {

        private final long dueNanos;
        private final Runnable task;
        private volatile boolean cancelled;
        private volatile @Nullable ScheduledFuture<?> scheduled;

        Waiting(long dueNanos, Runnable task) {
            this.dueNanos = dueNanos;
            this.task = task;
        }

        void schedule(long now) {
            if (waiting.remove(this)) {
                ScheduledFuture<?> future = executor.schedule(task, dueNanos - now, TimeUnit.NANOSECONDS);
                scheduled = future;
                if (cancelled) {
                    future.cancel(false);
                }
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            ScheduledFuture<?> future = scheduled;
            if (!waiting.remove(this) && future != null) {
                future.cancel(false);
            }
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

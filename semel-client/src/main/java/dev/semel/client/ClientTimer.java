package dev.semel.client;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The timer of a client, for time limits and pauses: one daemon thread, which starts with the first task and ends when it has
 * been idle for a while. So a client needs no {@code close}.
 */
final class ClientTimer {

    /** Longer than most pauses between two attempts, so that a call does not start the thread again and again. */
    static final Duration IDLE = Duration.ofSeconds(10);

    private final Executor executor;
    private final ScheduledThreadPoolExecutor timer;

    /** @param executor runs the tasks, which may block */
    ClientTimer(Executor executor, Duration idle) {
        this.executor = executor;
        timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "semel-client-timer");
            thread.setDaemon(true);
            // It outlives the caller that started it, and must not keep that caller's classes from being unloaded.
            thread.setContextClassLoader(ClientTimer.class.getClassLoader());
            return thread;
        });
        timer.setKeepAliveTime(idle.toNanos(), TimeUnit.NANOSECONDS);
        timer.allowCoreThreadTimeOut(true);
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Runs a task on the executor after a delay. */
    ClientTime.Pause after(Duration delay, Runnable task) {
        ScheduledFuture<?> scheduled =
                timer.schedule(() -> executor.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }
}

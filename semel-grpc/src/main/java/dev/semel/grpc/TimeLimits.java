package dev.semel.grpc;

import java.time.Duration;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The timer of an interceptor, for handlers that do not answer in time. Its daemon threads are named {@value #THREAD}; they
 * start with the first call, and end when there has been none for a while.
 */
final class TimeLimits {

    static final String THREAD = "semel-grpc-timer";

    /** A store that keeps one thread waiting must not delay every other limit. */
    private static final int THREADS = 2;

    private static final Duration IDLE = Duration.ofSeconds(30);

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(THREADS, task -> {
        Thread thread = new Thread(task, THREAD);
        thread.setDaemon(true);
        // Not that of the caller whose call happened to be the first.
        thread.setContextClassLoader(TimeLimits.class.getClassLoader());
        return thread;
    });

    TimeLimits() {
        executor.setKeepAliveTime(IDLE.toNanos(), TimeUnit.NANOSECONDS);
        executor.allowCoreThreadTimeOut(true);
        // Nearly every call answers long before its limit.
        executor.setRemoveOnCancelPolicy(true);
    }

    /** Runs the task once after the delay. */
    ScheduledFuture<?> after(Duration delay, Runnable task) {
        return executor.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }
}

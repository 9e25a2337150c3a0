package dev.semel.examples.payments.provider;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs tasks after a delay, on the provider's threads; tasks that are not due when it is closed never run. */
final class DelayedTasks implements AutoCloseable {

    private final Executor threads;
    private final ScheduledThreadPoolExecutor timer;

    DelayedTasks(Executor threads) {
        this.threads = threads;
        this.timer = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    Thread thread = new Thread(task, "provider-timer");
                    thread.setDaemon(true);
                    return thread;
                },
                new ThreadPoolExecutor.DiscardPolicy());
    }

    void after(Duration delay, Runnable task) {
        ScheduledFuture<?> unused = timer.schedule(() -> threads.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}

package dev.semel.items;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The pauses before calls are repeated, on one daemon thread that ends when there has been none for a while. */
public final class Pauses {

    static final String THREAD = "semel-store-retry";

    private static final long IDLE_SECONDS = 30;

    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, task -> {
        Thread made = new Thread(task, THREAD);
        made.setDaemon(true);
        // Not that of the application whose call happened to be the first to be repeated.
        made.setContextClassLoader(Pauses.class.getClassLoader());
        return made;
    });

    /** Has no thread before the first pause. */
    public Pauses() {
        thread.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        thread.allowCoreThreadTimeOut(true);
    }

    /** Is done when so much time has passed. */
    public CompletableFuture<Void> pause(long millis) {
        return CompletableFuture.runAsync(() -> {}, done -> after(millis, done));
    }

    void after(long millis, Runnable task) {
        ScheduledFuture<?> unused = thread.schedule(task, millis, TimeUnit.MILLISECONDS);
    }
}

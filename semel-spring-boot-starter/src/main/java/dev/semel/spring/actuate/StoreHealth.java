package dev.semel.spring.actuate;

import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownFilter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the store can be asked, and how much in it waits for evidence.
 *
 * <p>A store may keep the thread that asks it. It is therefore asked on threads of its own, of which there are few: a store
 * that hangs costs this many threads, and every check is told so in time.
 */
final class StoreHealth implements HealthIndicator, AutoCloseable {

    /** One that hangs must not keep the next check from noticing that the store is back. */
    private static final int THREADS = 3;

    /** Checks come every few seconds, and none waits for long; more than these only come while the store hangs. */
    private static final int WAITING = 16;

    /** Whether it is a thousand or a million, somebody has to look; and a check must be cheap. */
    private static final int COUNTED = 1000;

    private final Store store;
    private final Duration longest;
    private final ThreadPoolExecutor threads;

    StoreHealth(Store store, Duration longest) {
        this.store = store;
        this.longest = longest;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), StoreHealth::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "semel-health");
        thread.setDaemon(true);
        // Not the web server's, whose thread happens to be the first to ask: it would be kept alive with this one.
        thread.setContextClassLoader(StoreHealth.class.getClassLoader());
        return thread;
    }

    @Override
    public Health health() {
        Health.Builder health =
                new Health.Builder().withDetail("store", store.getClass().getSimpleName());
        try {
            within(this::count).addTo(health.up());
        } catch (TimeoutException | RejectedExecutionException e) {
            health.down().withDetail("error", noAnswer());
        } catch (ExecutionException e) {
            health.down().withDetail("error", messageOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            health.down().withDetail("error", "interrupted while waiting for the store");
        }
        return health.build();
    }

    private String noAnswer() {
        return "the store has not answered within " + longest.toMillis() + " ms";
    }

    private static String messageOf(Throwable fault) {
        Throwable cause = fault;
        while (cause instanceof ExecutionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private <T> T within(Callable<T> question) throws InterruptedException, ExecutionException, TimeoutException {
        Future<T> asked = threads.submit(question);
        try {
            return asked.get(longest.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            // One that has not begun never does. One that has is not interrupted, since it may be doing others' work.
            asked.cancel(false);
        }
    }

    /** Numbers, or words where a number would be a lie. */
    private record Counts(Object unknown, Object deadLettered) {

        void addTo(Health.Builder health) {
            health.withDetail("unknown", unknown).withDetail("deadLettered", deadLettered);
        }
    }

    private Counts count() {
        List<StoredRecord> unknown = store.listUnknown(UnknownFilter.ALL, COUNTED + 1);
        if (unknown.size() <= COUNTED) {
            long dead = unknown.stream().filter(StoredRecord::isDeadLettered).count();
            return new Counts(unknown.size(), dead);
        }
        int dead = store.listUnknown(new UnknownFilter(null, true, null), COUNTED + 1)
                .size();
        return new Counts(atLeast(unknown.size()), atLeast(dead));
    }

    private static Object atLeast(int size) {
        return size > COUNTED ? "more than " + COUNTED : (Object) size;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}

package dev.semel.spring.actuate;

import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
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
 * The health of the store: whether it answers, and how many of its records wait for evidence.
 *
 * <p>A store that hangs may block the calling thread. It is therefore called on a few threads of this class, and every check
 * is answered in time.
 */
final class StoreHealth implements HealthIndicator, AutoCloseable {

    /** A call that hangs must not keep the next check from noticing that the store is available again. */
    private static final int THREADS = 3;

    /** Checks arrive every few seconds and are short; more than these wait only while the store hangs. */
    private static final int WAITING = 16;

    /** A check must be cheap, and an operator has to act on a thousand records as on a million. */
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
        // Not the class loader of the web server's thread that runs the first check, which this thread would keep
        // alive.
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
            // A call that has not begun never does. One that has is not interrupted, since it may flush a shared batch.
            asked.cancel(false);
        }
    }

    /** Numbers, or "more than" a number. */
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

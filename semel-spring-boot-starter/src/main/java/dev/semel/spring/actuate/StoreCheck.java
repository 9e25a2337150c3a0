package dev.semel.spring.actuate;

import dev.semel.engine.Store;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The check of the store's health: whether it answers, and how many of its records wait for evidence.
 *
 * <p>A store that hangs may block the calling thread. It is therefore called on a few threads of this class, and every check
 * is answered in time.
 */
final class StoreCheck implements AutoCloseable {

    /** A call that hangs must not keep the next check from noticing that the store is available again. */
    private static final int THREADS = 3;

    /** Checks arrive every few seconds and are short; more than these wait only while the store hangs. */
    private static final int WAITING = 16;

    /** A check must be cheap, and an operator has to act on a thousand records as on a million. */
    private static final int COUNTED = 1000;

    /** Longer than a healthy store takes; short enough for a load balancer, which gives up after a few seconds. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    private final Store store;
    private final ThreadPoolExecutor threads;

    StoreCheck(Store store) {
        this.store = store;
        this.threads = new ThreadPoolExecutor(
                THREADS, THREADS, 30, TimeUnit.SECONDS, new ArrayBlockingQueue<>(WAITING), StoreCheck::thread);
        threads.allowCoreThreadTimeOut(true);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "semel-health");
        thread.setDaemon(true);
        // Not the class loader of the web server's thread that runs the first check, which this thread would keep
        // alive.
        thread.setContextClassLoader(StoreCheck.class.getClassLoader());
        return thread;
    }

    /** What a check found, for Spring Boot's type of health, whose package differs between its versions. */
    record Result(boolean isUp, Map<String, Object> details) {}

    Result result() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", store.getClass().getSimpleName());
        try {
            details.putAll(within(this::count));
            return new Result(true, details);
        } catch (TimeoutException | RejectedExecutionException e) {
            details.put("error", noAnswer());
        } catch (ExecutionException e) {
            details.put("error", messageOf(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            details.put("error", "interrupted while waiting for the store");
        }
        return new Result(false, details);
    }

    private String noAnswer() {
        return "the store has not answered within " + LONGEST_WAIT.toMillis() + " ms";
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
            return asked.get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            // A call that has not begun never does. One that has is not interrupted, since it may flush a shared batch.
            asked.cancel(false);
        }
    }

    private Map<String, Object> count() {
        List<StoredRecord> unknown = store.listUnknown(UnknownFilter.ALL, COUNTED + 1);
        if (unknown.size() <= COUNTED) {
            long dead = unknown.stream().filter(StoredRecord::isDeadLettered).count();
            return counts(unknown.size(), dead);
        }
        int dead = store.listUnknown(new UnknownFilter(null, true, null), COUNTED + 1)
                .size();
        return counts(atLeast(unknown.size()), atLeast(dead));
    }

    /** Numbers, or "more than" a number. */
    private static Map<String, Object> counts(Object unknown, Object deadLettered) {
        return Map.of("unknown", unknown, "deadLettered", deadLettered);
    }

    private static Object atLeast(int size) {
        return size > COUNTED ? "more than " + COUNTED : (Object) size;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}

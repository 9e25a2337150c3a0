package dev.semel.redis.connection;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Daemon threads that run callers' code after a reply, so that it does not block the thread that reads from Redis.
 *
 * <ol>
 *   <li>Tasks wait in a queue, and one worker runs them until the queue is empty. Replies arrive by the hundred: waking a
 *       thread for each would cost more than most tasks do.
 *   <li>A task may block, also on a task behind it in the queue. So while tasks wait, a monitor thread checks that the queue
 *       moves; whenever no task was taken between two checks, it starts one more worker.
 *   <li>The number of threads is not bounded: tasks that block cost threads, and do not stop other tasks.
 * </ol>
 */
final class CallbackExecutor implements Executor, AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    /** Longer than completing a hundred futures takes, and rare enough to cost next to nothing. */
    private static final long CHECK_INTERVAL_NANOS = 500_000;

    /** A tenth of a second: under steady traffic the monitor stays, and is not started anew for each burst. */
    private static final int MAX_IDLE_CHECKS = 200;

    private final AtomicInteger number = new AtomicInteger();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger workers = new AtomicInteger();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicBoolean monitoring = new AtomicBoolean();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "semel-redis-callback-" + number.incrementAndGet());
                thread.setDaemon(true);
                // It outlives the caller that started it, and must not keep that caller's classes from being unloaded.
                thread.setContextClassLoader(CallbackExecutor.class.getClassLoader());
                return thread;
            });

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        if (workers.compareAndSet(0, 1)) {
            startWorker();
        } else if (monitoring.compareAndSet(false, true)) {
            startMonitor();
        }
    }

    /** Starts a worker that is counted already. */
    private void startWorker() {
        try {
            threads.execute(this::work);
        } catch (RejectedExecutionException closed) {
            // The last tasks, which report that the store is closed.
            work();
        } catch (Throwable noThread) {
            workers.decrementAndGet();
            throw noThread;
        }
    }

    /** A worker that stops checks the queue once more: a task added in between started no other worker. */
    private void work() {
        do {
            try {
                for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
                    taken.incrementAndGet();
                    task.run();
                }
            } finally {
                workers.decrementAndGet();
            }
        } while (!tasks.isEmpty() && workers.compareAndSet(0, 1));
    }

    private void startMonitor() {
        try {
            threads.execute(this::monitor);
        } catch (RejectedExecutionException closed) {
            monitoring.set(false);
            workers.incrementAndGet();
            work();
        } catch (Throwable noThread) {
            monitoring.set(false);
            throw noThread;
        }
    }

    /** Ends after enough checks that found no waiting task, and checks once more after that. */
    private void monitor() {
        do {
            try {
                for (int idle = 0; idle < MAX_IDLE_CHECKS; idle++) {
                    long before = taken.get();
                    LockSupport.parkNanos(CHECK_INTERVAL_NANOS);
                    if (!tasks.isEmpty()) {
                        idle = 0;
                        if (taken.get() == before) {
                            workers.incrementAndGet();
                            startWorker();
                        }
                    }
                }
            } finally {
                monitoring.set(false);
            }
        } while (!tasks.isEmpty() && monitoring.compareAndSet(false, true));
    }

    /** Ends idle threads; a task that is added later runs on the thread that adds it. */
    @Override
    public void close() {
        threads.shutdown();
    }
}

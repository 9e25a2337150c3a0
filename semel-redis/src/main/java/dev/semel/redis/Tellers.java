package dev.semel.redis;

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
 * The daemon threads that run what depends on answers.
 *
 * <ol>
 *   <li>What is to be run waits in a queue. One thread takes from it until it is empty: answers arrive by the hundred, and to
 *       wake a thread for each would cost more than what they lead to.
 *   <li>What is run may block, perhaps on something behind it in the queue, or take its time. So where something waits while
 *       somebody is at work, another thread stands by: whenever nothing was taken for a while, it calls one more.
 *   <li>There is no bound, so that callers who block in what they are told cost threads and not everybody's progress.
 * </ol>
 */
final class Tellers implements Executor, AutoCloseable {

    private static final long IDLE_SECONDS = 30;

    /** Telling a hundred callers takes less; and who stands by wakes up seldom enough to cost next to nothing. */
    private static final long LOOK_EVERY_NANOS = 500_000;

    /** A tenth of a second: answers that keep coming find somebody who stands by already. */
    private static final int MOST_IDLE_LOOKS = 200;

    private final AtomicInteger number = new AtomicInteger();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger atWork = new AtomicInteger();
    private final AtomicLong taken = new AtomicLong();
    private final AtomicBoolean standingBy = new AtomicBoolean();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                Thread thread = new Thread(task, "semel-redis-" + number.incrementAndGet());
                thread.setDaemon(true);
                // It outlives whoever needed it first, and must not hold that one's classes.
                thread.setContextClassLoader(Tellers.class.getClassLoader());
                return thread;
            });

    @Override
    public void execute(Runnable task) {
        waiting.add(task);
        if (atWork.compareAndSet(0, 1)) {
            call();
        } else if (standingBy.compareAndSet(false, true)) {
            standBy();
        }
    }

    /** Has a thread work, which is counted already. */
    private void call() {
        try {
            threads.execute(this::work);
        } catch (RejectedExecutionException closed) {
            // The last answers, which say that the store is closed.
            work();
        } catch (Throwable noThread) {
            atWork.decrementAndGet();
            throw noThread;
        }
    }

    /** Whoever stops looks once more: what came in between relied on it. */
    private void work() {
        do {
            try {
                for (Runnable task = waiting.poll(); task != null; task = waiting.poll()) {
                    taken.incrementAndGet();
                    task.run();
                }
            } finally {
                atWork.decrementAndGet();
            }
        } while (!waiting.isEmpty() && atWork.compareAndSet(0, 1));
    }

    private void standBy() {
        try {
            threads.execute(this::watch);
        } catch (RejectedExecutionException closed) {
            standingBy.set(false);
            atWork.incrementAndGet();
            work();
        } catch (Throwable noThread) {
            standingBy.set(false);
            throw noThread;
        }
    }

    /** Leaves when nothing has waited for some time, and looks once more after that. */
    private void watch() {
        do {
            try {
                for (int idle = 0; idle < MOST_IDLE_LOOKS; idle++) {
                    long before = taken.get();
                    LockSupport.parkNanos(LOOK_EVERY_NANOS);
                    if (!waiting.isEmpty()) {
                        idle = 0;
                        if (taken.get() == before) {
                            atWork.incrementAndGet();
                            call();
                        }
                    }
                }
            } finally {
                standingBy.set(false);
            }
        } while (!waiting.isEmpty() && standingBy.compareAndSet(false, true));
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}

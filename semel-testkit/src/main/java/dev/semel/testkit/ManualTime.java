package dev.semel.testkit;

import dev.semel.engine.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Time that passes only when a test says so: an engine's timer and a memory store's clock in one.
 *
 * <p>{@link #advance} runs what has become due on the calling thread, in order. {@link #pause} advances.
 */
public final class ManualTime implements Timer, InstantSource {

    private record Task(long dueNanos, long number, Runnable action) {}

    private final Instant start = Instant.parse("2030-01-01T00:00:00Z");
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::dueNanos).thenComparingLong(Task::number));
    private long nowNanos;
    private long scheduled;

    @Override
    public synchronized long nanos() {
        return nowNanos;
    }

    @Override
    public synchronized Instant instant() {
        return start.plusNanos(nowNanos);
    }

    @Override
    public synchronized Cancellable after(Duration delay, Runnable action) {
        Task task = new Task(nowNanos + delay.toNanos(), scheduled++, action);
        tasks.add(task);
        return () -> cancel(task);
    }

    private synchronized void cancel(Task task) {
        tasks.remove(task);
    }

    @Override
    public void pause(Duration delay) {
        advance(delay);
    }

    /** Lets time pass, and runs what becomes due on the way at the moment when it is due. */
    public void advance(Duration duration) {
        long end;
        synchronized (this) {
            end = nowNanos + duration.toNanos();
        }
        for (Task task = nextUntil(end); task != null; task = nextUntil(end)) {
            task.action().run();
        }
    }

    private synchronized @Nullable Task nextUntil(long endNanos) {
        Task task = tasks.peek();
        if (task == null || task.dueNanos() > endNanos) {
            nowNanos = Math.max(nowNanos, endNanos);
            return null;
        }
        nowNanos = Math.max(nowNanos, task.dueNanos());
        return tasks.poll();
    }

    /** How long until each scheduled task, soonest first. */
    public synchronized List<Duration> scheduled() {
        return new ArrayList<>(tasks)
                .stream()
                        .sorted(Comparator.comparingLong(Task::dueNanos))
                        .map(task -> Duration.ofNanos(task.dueNanos() - nowNanos))
                        .toList();
    }
}

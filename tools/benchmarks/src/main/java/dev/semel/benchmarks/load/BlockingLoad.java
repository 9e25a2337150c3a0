package dev.semel.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Threads, each of which makes its next call when the last one was answered; at least one, however short the slice. */
public final class BlockingLoad implements Load {

    private final int callers;
    private final Call call;

    public BlockingLoad(int callers, Call call) {
        this.callers = callers;
        this.call = call;
    }

    @Override
    public Slice run(Duration length) throws Exception {
        return threads(callers, (caller, begun, latency) -> {
            long deadline = begun + length.toNanos();
            long start = System.nanoTime();
            do {
                call.run();
                long end = System.nanoTime();
                latency.recordValue(end - start);
                start = end;
            } while (start - deadline < 0);
        });
    }

    /** What one thread does. */
    public interface Caller {
        void call(int caller, long begun, Histogram latency) throws Exception;
    }

    /** Starts all threads at once and waits until the last one is done. */
    public static Slice threads(int count, Caller body) throws Exception {
        CountDownLatch ready = new CountDownLatch(count);
        CountDownLatch go = new CountDownLatch(1);
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        long[] begun = new long[1];
        List<Histogram> latencies = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            int caller = number;
            Histogram latency = Slice.newHistogram();
            latencies.add(latency);
            Thread thread = new Thread(() -> {
                ready.countDown();
                try {
                    go.await();
                    body.call(caller, begun[0], latency);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            thread.setName("caller-" + caller);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        ready.await();
        begun[0] = System.nanoTime();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        long nanos = System.nanoTime() - begun[0];
        Failures.raise(failure.get());
        return Slice.of(latencies, nanos);
    }
}

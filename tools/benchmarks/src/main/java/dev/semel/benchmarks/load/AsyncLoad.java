package dev.semel.benchmarks.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** A fixed number of calls under way: each completion starts the next call, and no thread waits. */
public final class AsyncLoad implements Load {

    /** They start the first calls. Where calls are answered on the thread that makes them, so many are under way. */
    private static final int STARTERS = 4;

    /** Long after the last call of a slice should have been answered. */
    private static final long PATIENCE_SECONDS = 120;

    private final int underWay;
    private final AsyncCall call;

    public AsyncLoad(int underWay, AsyncCall call) {
        this.underWay = underWay;
        this.call = call;
    }

    @Override
    public Slice run(Duration length) throws Exception {
        Run run = new Run(length);
        List<Thread> starters = new ArrayList<>();
        for (int number = 0; number < Math.min(STARTERS, underWay); number++) {
            int first = number;
            Thread starter = new Thread(() -> {
                for (int caller = first; caller < underWay; caller += STARTERS) {
                    run.callers.get(caller).next();
                }
            });
            starter.setName("starter-" + number);
            starter.setDaemon(true);
            starters.add(starter);
            starter.start();
        }
        if (!run.done.await(length.toSeconds() + PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new TimeoutException("calls were not answered within " + PATIENCE_SECONDS + " s");
        }
        for (Thread starter : starters) {
            starter.join();
        }
        Failures.raise(run.failure.get());
        return Slice.of(run.callers.stream().map(each -> each.latency).toList(), System.nanoTime() - run.begun);
    }

    /** One slice. */
    private final class Run {

        final CountDownLatch done = new CountDownLatch(underWay);
        final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        final List<Caller> callers = new ArrayList<>();
        final long begun = System.nanoTime();
        final long deadline;

        Run(Duration length) {
            deadline = begun + length.toNanos();
            for (int number = 0; number < underWay; number++) {
                callers.add(new Caller(this));
            }
        }
    }

    /** One of the calls under way and its successors; one at a time, so the histogram needs no lock. */
    private final class Caller {

        private final Run run;
        private final Histogram latency = Slice.newHistogram();

        /** Every caller makes one call, however short the slice. */
        private boolean begun;

        /** Calls that are answered at once are made in a loop, as each would otherwise lie on the stack of the last. */
        private final AtomicInteger pending = new AtomicInteger();

        Caller(Run run) {
            this.run = run;
        }

        void next() {
            if (pending.getAndIncrement() == 0) {
                do {
                    step();
                } while (pending.decrementAndGet() != 0);
            }
        }

        private void step() {
            long start = System.nanoTime();
            boolean over = start - run.deadline >= 0 && begun;
            begun = true;
            if (over || run.failure.get() != null) {
                run.done.countDown();
                return;
            }
            try {
                call.start().whenComplete((answer, failed) -> {
                    if (failed != null) {
                        run.failure.compareAndSet(null, failed);
                    } else {
                        latency.recordValue(System.nanoTime() - start);
                    }
                    next();
                });
            } catch (RuntimeException e) {
                run.failure.compareAndSet(null, e);
                run.done.countDown();
            }
        }
    }
}

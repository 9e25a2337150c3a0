package dev.semel.observability;

import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Gauges of unknown outcomes and dead letters in the store. Each process reports the number of the whole store.
 *
 * <ol>
 *   <li>Reading a gauge returns the last count without waiting. If that count is older than the interval, the read also starts
 *       a new count on another thread.
 *   <li>Without reads, the store is not queried.
 *   <li>While the store fails, the last count stays for three intervals; after that, and before the first count, the gauge is
 *       not a number.
 *   <li>Counting stops at {@value #MAX}: beyond that, the exact number does not matter.
 * </ol>
 *
 * <pre>{@code
 * new UnknownGauges(semel.unknownOutcomes(), Duration.ofSeconds(30)).bindTo(registry);
 * }</pre>
 */
public final class UnknownGauges implements MeterBinder {

    /** Records with an unknown outcome, including dead letters. */
    public static final String UNKNOWN = "api.idempotency.unknown.records";

    /** Unknown outcomes that the reconciler has given up, and that wait for a person. */
    public static final String DEAD_LETTERS = "api.idempotency.dead_letter.records";

    static final int MAX = 10_000;

    /** A page is one query; a thousand rows without responses are a few hundred kilobytes. */
    private static final int PAGE = 1000;

    private static final int MAX_FAILED_INTERVALS = 3;
    private static final System.Logger LOG = System.getLogger("dev.semel.observability");

    private final UnknownOutcomes outcomes;
    private final long everyNanos;
    private final Executor executor;

    /** Counts at most once in an interval, on a thread of its own that ends when it is idle. */
    public UnknownGauges(UnknownOutcomes outcomes, Duration every) {
        this(outcomes, every, ownThread());
    }

    /**
     * Counts at most once in an interval.
     *
     * @param executor runs the queries, which block
     */
    public UnknownGauges(UnknownOutcomes outcomes, Duration every, Executor executor) {
        if (every.isNegative() || every.isZero()) {
            throw new IllegalArgumentException("the interval between counts is " + every + ", it must be positive");
        }
        this.outcomes = outcomes;
        this.everyNanos = every.toNanos();
        this.executor = executor;
    }

    private static Executor ownThread() {
        ThreadPoolExecutor one =
                new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "semel-unknown-gauges");
                    thread.setDaemon(true);
                    return thread;
                });
        one.allowCoreThreadTimeOut(true);
        return one;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Watch watch = new Watch(registry.config().clock());
        watch.queryIfDue();
        gauge(registry, watch, UNKNOWN, "Unknown outcomes", Counts::unknown);
        gauge(
                registry,
                watch,
                DEAD_LETTERS,
                "Unknown outcomes that the reconciler gave up and that wait for a person",
                Counts::deadLetters);
    }

    private static void gauge(
            MeterRegistry registry, Watch watch, String name, String description, ToDoubleFunction<Counts> count) {
        Gauge.builder(name, watch, each -> each.read(count))
                .description(description)
                .strongReference(true)
                .register(registry);
    }

    private record Counts(int unknown, int deadLetters) {}

    private Counts count() {
        int unknown = 0;
        int deadLetters = 0;
        UnknownFilter filter = UnknownFilter.ALL;
        while (unknown < MAX) {
            List<StoredRecord> page = outcomes.listUnknown(filter, PAGE);
            unknown += page.size();
            for (StoredRecord record : page) {
                deadLetters += record.isDeadLettered() ? 1 : 0;
            }
            if (page.size() < PAGE) {
                break;
            }
            filter = filter.after(page.get(page.size() - 1).identity());
        }
        return new Counts(unknown, deadLetters);
    }

    /** The counts for one registry, by its clock. */
    private final class Watch {

        private final Clock clock;
        private final AtomicBoolean running = new AtomicBoolean();
        private volatile @Nullable Counts counts;
        private volatile @Nullable Long queriedNanos;
        /** When the first query started that has had no answer since. */
        private volatile @Nullable Long unansweredNanos;

        Watch(Clock clock) {
            this.clock = clock;
        }

        double read(ToDoubleFunction<Counts> count) {
            queryIfDue();
            Counts known = counts;
            Long unanswered = unansweredNanos;
            boolean stale =
                    unanswered != null && clock.monotonicTime() - unanswered >= MAX_FAILED_INTERVALS * everyNanos;
            return known == null || stale ? Double.NaN : count.applyAsDouble(known);
        }

        void queryIfDue() {
            long now = clock.monotonicTime();
            Long queried = queriedNanos;
            boolean due = queried == null || now - queried >= everyNanos;
            if (!due || !running.compareAndSet(false, true)) {
                return;
            }
            queriedNanos = now;
            if (unansweredNanos == null) {
                unansweredNanos = now;
            }
            try {
                executor.execute(this::query);
            } catch (RuntimeException rejected) {
                running.set(false);
                LOG.log(
                        System.Logger.Level.WARNING,
                        "unknown outcomes are not counted: the executor rejected the query",
                        rejected);
            }
        }

        private void query() {
            try {
                counts = count();
                unansweredNanos = null;
            } catch (RuntimeException fault) {
                LOG.log(System.Logger.Level.DEBUG, "unknown outcomes could not be counted", fault);
            } finally {
                running.set(false);
            }
        }
    }
}

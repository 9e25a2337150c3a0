package dev.semel.observability;

import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownFilter;
import dev.semel.reconcile.UnknownOutcomes;
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
 * How many outcomes nobody knows, and how many of them wait for a person: what the store says, seen by any one process for
 * all of them.
 *
 * <ol>
 *   <li>Whoever reads a gauge gets what was counted last, and waits for nobody. If that is older than the interval, the
 *       store is asked meanwhile, on another thread, for whoever reads next.
 *   <li>Nobody reads, nobody asks.
 *   <li>While the store does not answer, the last count stays for three intervals; then it is not a number, as it is before
 *       the first answer.
 *   <li>Counting stops at {@value #MOST}: from there on it matters no longer how many they are.
 * </ol>
 *
 * <pre>{@code
 * new UnknownGauges(semel.unknownOutcomes(), Duration.ofSeconds(30)).bindTo(registry);
 * }</pre>
 */
public final class UnknownGauges implements MeterBinder {

    /** Records whose outcome nobody knows, those included that wait for a person. */
    public static final String UNKNOWN = "api.idempotency.unknown.records";

    /** Those of them that wait for a person. */
    public static final String DEAD_LETTERS = "api.idempotency.dead_letter.records";

    static final int MOST = 10_000;

    /** One page is one statement; a thousand rows without responses are a few hundred kilobytes. */
    private static final int PAGE = 1000;

    private static final int INTERVALS_WITHOUT_ANSWER = 3;
    private static final System.Logger LOG = System.getLogger("dev.semel.observability");

    private final UnknownOutcomes outcomes;
    private final long everyNanos;
    private final Executor asking;

    /** Asks at most once in an interval, on a thread of its own that goes away when there is nothing to do. */
    public UnknownGauges(UnknownOutcomes outcomes, Duration every) {
        this(outcomes, every, ownThread());
    }

    /**
     * Asks at most once in an interval.
     *
     * @param asking where the store is asked, which blocks
     */
    public UnknownGauges(UnknownOutcomes outcomes, Duration every, Executor asking) {
        if (every.isNegative() || every.isZero()) {
            throw new IllegalArgumentException("the interval between counts is " + every + ", it must be positive");
        }
        this.outcomes = outcomes;
        this.everyNanos = every.toNanos();
        this.asking = asking;
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
        watch.askIfDue();
        gauge(registry, watch, UNKNOWN, "Outcomes that nobody knows", Counts::unknown);
        gauge(registry, watch, DEAD_LETTERS, "Unknown outcomes that wait for a person", Counts::deadLetters);
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
        while (unknown < MOST) {
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

    /** What was counted for one registry, by its clock. */
    private final class Watch {

        private final Clock clock;
        private final AtomicBoolean underWay = new AtomicBoolean();
        private volatile @Nullable Counts counts;
        private volatile @Nullable Long askedNanos;
        /** When the first question was asked that nobody has answered since. */
        private volatile @Nullable Long unansweredNanos;

        Watch(Clock clock) {
            this.clock = clock;
        }

        double read(ToDoubleFunction<Counts> count) {
            askIfDue();
            Counts known = counts;
            Long unanswered = unansweredNanos;
            boolean stale =
                    unanswered != null && clock.monotonicTime() - unanswered >= INTERVALS_WITHOUT_ANSWER * everyNanos;
            return known == null || stale ? Double.NaN : count.applyAsDouble(known);
        }

        void askIfDue() {
            long now = clock.monotonicTime();
            Long asked = askedNanos;
            boolean due = asked == null || now - asked >= everyNanos;
            if (!due || !underWay.compareAndSet(false, true)) {
                return;
            }
            askedNanos = now;
            if (unansweredNanos == null) {
                unansweredNanos = now;
            }
            try {
                asking.execute(this::ask);
            } catch (RuntimeException rejected) {
                underWay.set(false);
                LOG.log(System.Logger.Level.WARNING, "unknown outcomes are not counted", rejected);
            }
        }

        private void ask() {
            try {
                counts = count();
                unansweredNanos = null;
            } catch (RuntimeException fault) {
                LOG.log(System.Logger.Level.DEBUG, "unknown outcomes could not be counted", fault);
            } finally {
                underWay.set(false);
            }
        }
    }
}

package dev.semel.reconcile;

import dev.semel.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The daemon that notices attempts that have vanished, and finds out what became of them.
 *
 * <pre>{@code
 * Reconciler reconciler = Reconciler.of(engine.unknownOutcomes())
 *         .resolve(charge, unknown -> bank.find(unknown.downstreamKey("charge"))
 *                 .<Verdict>map(found -> Verdict.happened(Codec.text(), found.receipt(), found.id()))
 *                 .orElseGet(() -> new Verdict.DidNotHappen("the bank knows no such key")))
 *         .start();
 * }</pre>
 *
 * <p>Any number of processes may run one on the same store: they share the work. Each operation is looked after by a thread
 * of its own, and the sweeper has another, so that a provider that does not answer delays no other operation.
 */
public final class Reconciler implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel");

    /** Small enough that one batch holds no lock that a request would notice. */
    private static final int SWEEP_BATCH = 500;

    /** A store that comes back is noticed within a minute. */
    private static final Duration LONGEST_PAUSE_AFTER_FAULTS = Duration.ofMinutes(1);

    private final UnknownOutcomes unknowns;
    private final List<Search> searches;
    private final Duration every;
    private final Duration answerWithin;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final CountDownLatch ended;
    private final List<Thread> threads = new ArrayList<>();

    Reconciler(
            UnknownOutcomes unknowns,
            List<ReconcilerBuilder.Resolving> resolvers,
            Duration every,
            int batch,
            Duration answerWithin) {
        this.unknowns = unknowns;
        this.every = every;
        this.answerWithin = answerWithin;
        Duration hold = answerWithin.multipliedBy(batch);
        this.searches = resolvers.stream()
                .map(resolving -> new Search(unknowns, resolving, batch, hold))
                .toList();
        this.ended = new CountDownLatch(searches.size() + 1);
        unknowns.attend(searches.stream().map(Search::operation).collect(Collectors.toUnmodifiableSet()));
    }

    /** Starts to configure a reconciler of an engine's unknown outcomes; close it before the engine. */
    public static ReconcilerBuilder of(UnknownOutcomes unknowns) {
        return new ReconcilerBuilder(unknowns);
    }

    /**
     * Sweeps, and asks about everything that is due, on the calling thread. Trouble is reported and logged; an interrupt
     * ends the run after the record at hand.
     */
    public RunReport runOnce() {
        BooleanSupplier stopped = () -> isClosing() || Thread.currentThread().isInterrupted();
        RunReport report = sweep(stopped);
        for (Search search : searches) {
            report = report.plus(search.run(stopped));
        }
        return report;
    }

    private RunReport sweep(BooleanSupplier stopped) {
        RunReport report = RunReport.NOTHING;
        boolean more = true;
        while (more && !stopped.getAsBoolean()) {
            try {
                int swept = unknowns.sweep(SWEEP_BATCH).size();
                report = report.plus(RunReport.swept(swept));
                more = swept == SWEEP_BATCH;
            } catch (StoreException fault) {
                LOG.log(System.Logger.Level.WARNING, "the store failed while expired leases were looked for", fault);
                return report.plus(RunReport.STORE_FAULT);
            }
        }
        return report;
    }

    /** Goes on doing all that in the background, on daemon threads, until {@link #close}. */
    public synchronized void start() {
        if (!threads.isEmpty() || isClosing()) {
            throw new IllegalStateException("a reconciler is started once");
        }
        threads.add(daemon("semel-sweeper", this::sweep));
        for (Search search : searches) {
            threads.add(daemon("semel-reconciler-" + search.operation(), search::run));
        }
        threads.forEach(Thread::start);
    }

    private Thread daemon(String name, Function<BooleanSupplier, RunReport> part) {
        Thread thread = new Thread(
                () -> {
                    loop(part);
                    ended.countDown();
                },
                name);
        thread.setDaemon(true);
        return thread;
    }

    private void loop(Function<BooleanSupplier, RunReport> part) {
        int faults = 0;
        do {
            try {
                RunReport report = part.apply(this::isClosingForDaemon);
                faults = report.storeFaults() == 0 ? 0 : faults + 1;
            } catch (Throwable e) {
                LOG.log(System.Logger.Level.ERROR, "a run of the reconciler failed, the next one follows", e);
                faults++;
            }
        } while (!closedWithin(faults == 0 ? every : pauseAfter(faults)));
    }

    private Duration pauseAfter(int faults) {
        Duration longest = every.compareTo(LONGEST_PAUSE_AFTER_FAULTS) > 0 ? every : LONGEST_PAUSE_AFTER_FAULTS;
        return new Backoff(every, longest).delay(faults);
    }

    private boolean isClosing() {
        return closing.getCount() == 0;
    }

    /** An interrupt of a thread of ours is left over from a resolver, or close has sent it: it ends nothing by itself. */
    private boolean isClosingForDaemon() {
        Thread.interrupted();
        return isClosing();
    }

    private boolean closedWithin(Duration pause) {
        try {
            return closing.await(pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException leftOver) {
            return isClosing();
        }
    }

    /**
     * Ends it after the records at hand. A resolver that does not answer in the time that it may take is interrupted and
     * not waited for; what it was asked about is asked again when its hold has passed.
     */
    @Override
    public void close() {
        List<Thread> running;
        synchronized (this) {
            closing.countDown();
            running = List.copyOf(threads);
        }
        try {
            if (running.isEmpty() || ended.await(answerWithin.toNanos(), TimeUnit.NANOSECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        running.forEach(Thread::interrupt);
    }
}

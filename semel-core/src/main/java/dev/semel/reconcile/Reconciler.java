package dev.semel.reconcile;

import dev.semel.Operation;
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

    private Reconciler(Builder builder) {
        this.unknowns = builder.unknowns;
        this.every = builder.every;
        this.answerWithin = builder.answerWithin;
        int batch = builder.batch;
        Duration hold = answerWithin.multipliedBy(batch);
        this.searches = builder.resolvers.stream()
                .map(resolving -> new Search(unknowns, resolving, batch, hold))
                .toList();
        this.ended = new CountDownLatch(searches.size() + 1);
        unknowns.attend(searches.stream().map(Search::operation).collect(Collectors.toUnmodifiableSet()));
    }

    /** Starts to configure a reconciler of an engine's unknown outcomes; close it before the engine. */
    public static Builder of(UnknownOutcomes unknowns) {
        return new Builder(unknowns);
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

    /** Configures a reconciler; everything but the resolvers has a default. */
    public static final class Builder {

        /** Small enough that a crash delays few records, large enough that taking them costs little. */
        private static final int DEFAULT_BATCH = 20;

        /** A vanished attempt is noticed this long after its lease; looking more often would gain little. */
        private static final Duration DEFAULT_EVERY = Duration.ofSeconds(10);

        /** What most HTTP clients allow at most. */
        private static final Duration DEFAULT_ANSWER_WITHIN = Duration.ofSeconds(30);

        /** A day: any longer is a mistake. */
        private static final Duration LONGEST = Duration.ofDays(1);

        private static final int LARGEST_BATCH = 1000;

        private final UnknownOutcomes unknowns;
        private final List<Resolving> resolvers = new ArrayList<>();
        private Duration every = DEFAULT_EVERY;
        private Duration answerWithin = DEFAULT_ANSWER_WITHIN;
        private int batch = DEFAULT_BATCH;

        private Builder(UnknownOutcomes unknowns) {
            this.unknowns = unknowns;
        }

        /** Who is asked about an operation, and how. */
        record Resolving(Operation operation, OutcomeResolver resolver, ReconcilePolicy policy) {}

        /** Has this resolver asked about unknown outcomes of the operation, by the default policy. */
        public Builder resolve(Operation operation, OutcomeResolver resolver) {
            return resolve(operation, resolver, ReconcilePolicy.DEFAULT);
        }

        /** Has this resolver asked about unknown outcomes of the operation, which also says how long they are kept then. */
        public Builder resolve(Operation operation, OutcomeResolver resolver, ReconcilePolicy policy) {
            policy.requireConsistent(operation.name());
            if (resolvers.stream().anyMatch(other -> other.operation().name().equals(operation.name()))) {
                throw new IllegalArgumentException("operation " + operation.name() + " has a resolver already");
            }
            resolvers.add(new Resolving(operation, resolver, policy));
            return this;
        }

        /** How long to pause when there is nothing left to do. */
        public Builder every(Duration newEvery) {
            every = within("the pause between two runs", newEvery);
            return this;
        }

        /**
         * How long one call of a resolver takes at most. Records are taken for as long as a whole batch may take; when a
         * resolver is slower, another process may ask the same once more.
         */
        public Builder answerWithin(Duration newAnswerWithin) {
            answerWithin = within("the time for a resolver's answer", newAnswerWithin);
            return this;
        }

        private static Duration within(String what, Duration value) {
            if (value.isNegative() || value.isZero() || value.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        what + " is " + value + ", it must be positive and at most " + LONGEST);
            }
            return value;
        }

        /** How many records are taken at once. */
        public Builder batch(int newBatch) {
            if (newBatch < 1 || newBatch > LARGEST_BATCH) {
                throw new IllegalArgumentException(
                        "a batch of " + newBatch + " records, it must be between 1 and " + LARGEST_BATCH);
            }
            batch = newBatch;
            return this;
        }

        /** Makes the reconciler; it does nothing before it is run or started. */
        public Reconciler build() {
            return new Reconciler(this);
        }

        /** Makes the reconciler and starts it. */
        public Reconciler start() {
            Reconciler reconciler = build();
            reconciler.start();
            return reconciler;
        }
    }

    /**
     * What one run of a reconciler did.
     *
     * @param swept attempts that had vanished and were noticed now
     * @param resolved unknown outcomes that were settled
     * @param rescheduled unknown outcomes that are asked about again later
     * @param deadLettered unknown outcomes that were left to a person
     * @param failed calls of a resolver that threw; each of them was also rescheduled or dead-lettered, unless another
     *     process was faster
     * @param storeFaults how often the store failed; what was not done then is done in a later run
     */
    public record RunReport(int swept, int resolved, int rescheduled, int deadLettered, int failed, int storeFaults) {

        static final RunReport NOTHING = new RunReport(0, 0, 0, 0, 0, 0);
        static final RunReport RESOLVED = new RunReport(0, 1, 0, 0, 0, 0);
        static final RunReport RESCHEDULED = new RunReport(0, 0, 1, 0, 0, 0);
        static final RunReport DEAD_LETTERED = new RunReport(0, 0, 0, 1, 0, 0);
        static final RunReport FAILED = new RunReport(0, 0, 0, 0, 1, 0);
        static final RunReport STORE_FAULT = new RunReport(0, 0, 0, 0, 0, 1);

        static RunReport swept(int records) {
            return new RunReport(records, 0, 0, 0, 0, 0);
        }

        RunReport plus(RunReport other) {
            return new RunReport(
                    swept + other.swept,
                    resolved + other.resolved,
                    rescheduled + other.rescheduled,
                    deadLettered + other.deadLettered,
                    failed + other.failed,
                    storeFaults + other.storeFaults);
        }
    }
}

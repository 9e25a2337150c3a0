package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Call;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.Load;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.load.Slice;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.SemelCalls;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.engine.SemelEngine;
import dev.semel.engine.Store;
import dev.semel.jdbc.Stores;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.BooleanSupplier;

/** Pairs per second without pruning, while as much is pruned as comes in, and while a backlog is pruned. */
final class PruningContest {

    static final String IDLE = "not pruning";
    static final String PACED = "pruning as much as comes in";
    static final String BACKLOG = "pruning without a pause";

    /** More than the pruner removes in the rounds that there are by default. */
    private static final int EXPIRED = 500_000;

    /** So long ago: past retention. */
    private static final long AN_HOUR_AGO_SECONDS = -3_600;

    private final BenchContext context;
    private final int callers;
    private final int expired;

    PruningContest(BenchContext context, int callers) {
        this.context = context;
        this.callers = callers;
        List<Integer> given = context.settings().records();
        this.expired = given.isEmpty() ? EXPIRED : Collections.max(given);
    }

    void run(GrowthResults results) throws Exception {
        Database database = context.databases().create("pruning");
        Store store = Stores.open(database.uri());
        try (SemelEngine semel = SemelEngine.on(store).build()) {
            new Filling(database, context.progress()).fill(expired, AN_HOUR_AGO_SECONDS);
            AtomicLong made = new AtomicLong();
            Call pairs = new SemelCalls(semel).pairs(new Keys("n"));
            Load load = new BlockingLoad(callers, () -> {
                pairs.run();
                made.incrementAndGet();
            });
            Pruning paced = new Pruning(store, load, made, true);
            Pruning backlog = new Pruning(store, load, made, false);
            Contest contest = new Rounds(context.settings(), context.progress())
                    .run(
                            "pairs while pruning, callers: " + callers,
                            IDLE,
                            List.of(
                                    new Contender(IDLE, load),
                                    new Contender(PACED, paced),
                                    new Contender(BACKLOG, backlog)));
            results.pruning(contest);
            results.note("Pruned per second: " + Figures.count(paced.perSecond()) + " as much as comes in, "
                    + Figures.count(backlog.perSecond()) + " without a pause.");
            if (paced.pruned.get() + backlog.pruned.get() >= expired) {
                results.note("The pruner ran out of expired records: give more with --records.");
            }
        }
    }

    /** The same load, with a pruner beside it. */
    private static final class Pruning implements Load {

        private final Store store;
        private final Load load;
        private final AtomicLong made;
        private final boolean paced;
        private final AtomicLong pruned = new AtomicLong();
        private final DoubleAdder seconds = new DoubleAdder();

        Pruning(Store store, Load load, AtomicLong made, boolean paced) {
            this.store = store;
            this.load = load;
            this.made = made;
            this.paced = paced;
        }

        @Override
        public Slice run(Duration length) throws Exception {
            long madeBefore = made.get();
            long prunedBefore = pruned.get();
            BooleanSupplier due = () -> !paced || made.get() - madeBefore >= pruned.get() - prunedBefore + Pruner.BATCH;
            Pruner pruner = new Pruner(store, due, pruned);
            try {
                Slice slice = load.run(length);
                seconds.add(slice.seconds());
                return slice;
            } finally {
                pruner.stop();
            }
        }

        double perSecond() {
            return pruned.get() / Math.max(seconds.sum(), 1e-9);
        }
    }
}

package dev.semel.benchmarks.search;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.growth.Filling;
import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.Load;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.load.Slice;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.SemelCalls;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.Stores;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Pairs on a store with the index of searches and on one without it, by elapsed time and by processor time. */
final class IndexCost {

    static final String WITH = "with the index";
    static final String WITHOUT = "without it";

    private static final String DROP = "DROP INDEX semel_record_search";
    private static final int CALLERS = 16;

    /** A day: nothing that was filled in is pruned while it is measured. */
    private static final long RETENTION_SECONDS = 86_400;

    private final BenchContext context;
    private final int records;
    private final int callers;

    IndexCost(BenchContext context, int records) {
        this.context = context;
        this.records = records;
        this.callers = context.settings().callersOr(List.of(CALLERS)).get(0);
    }

    /**
     * What was measured.
     *
     * @param processor microseconds of processor time for a pair, of the rounds; with the index, then without it
     * @param server whether that includes the processes of the database server
     */
    record Cost(Contest contest, List<List<Double>> processor, boolean server) {

        /** Of each round, so that what slows both sides does not count. */
        List<Double> processorRatios() {
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < processor.get(0).size(); round++) {
                ratios.add(processor.get(0).get(round) / processor.get(1).get(round));
            }
            return ratios;
        }
    }

    Cost measure() throws Exception {
        Database indexed = context.databases().create("indexed");
        Database bare = context.databases().create("bare");
        try (SemelEngine with = SemelEngine.on(Stores.open(indexed.uri())).build();
                SemelEngine without = SemelEngine.on(Stores.open(bare.uri())).build();
                ProcessorClock clock = ProcessorClock.of(indexed)) {
            new Filling(indexed, context.progress()).fill(records, RETENTION_SECONDS);
            new Filling(bare, context.progress()).fill(records, RETENTION_SECONDS);
            bare.execute(DROP);
            Metered first = metered(with, clock);
            Metered second = metered(without, clock);
            Contest contest = new Rounds(context.settings(), context.progress())
                    .run(
                            "pairs, callers: " + callers,
                            WITHOUT,
                            List.of(new Contender(WITH, first), new Contender(WITHOUT, second)));
            int rounds = context.settings().rounds();
            return new Cost(contest, List.of(first.last(rounds), second.last(rounds)), clock.seesServer());
        }
    }

    private Metered metered(SemelEngine semel, ProcessorClock clock) {
        return new Metered(new BlockingLoad(callers, new SemelCalls(semel).pairs(new Keys("n"))), clock);
    }

    /** A load whose processor time is measured. */
    private record Metered(Load load, ProcessorClock clock, List<Double> micros) implements Load {

        Metered(Load load, ProcessorClock clock) {
            this(load, clock, new ArrayList<>());
        }

        @Override
        public Slice run(Duration length) throws Exception {
            ProcessorClock.Reading before = clock.read();
            Slice slice = load.run(length);
            micros.add(clock.read().nanosSince(before) / 1e3 / Math.max(slice.calls(), 1));
            return slice;
        }

        /** Without the slices that warmed it up. */
        List<Double> last(int rounds) {
            return List.copyOf(micros.subList(micros.size() - rounds, micros.size()));
        }
    }
}

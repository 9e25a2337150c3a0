package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.database.Database;
import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.SemelCalls;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import dev.semel.engine.SemelEngine;
import dev.semel.jdbc.Stores;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Pairs per second with few and with millions of records, each in a database of its own, and while old ones are pruned. */
public final class GrowthSuite implements Suite {

    private static final List<Integer> RECORDS = List.of(10_000, 1_000_000, 5_000_000);
    private static final int CALLERS = 64;

    /** A day: nothing that was filled in is pruned while it is measured. */
    private static final long RETENTION_SECONDS = 86_400;

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public String description() {
        return "pairs with 10,000 to 5,000,000 existing records, pruning under load, bytes per record on disk and"
                + " in memory";
    }

    @Override
    public List<String> parts() {
        return List.of("records", "pruning", "memory");
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        List<Integer> given = context.settings().records();
        List<Integer> sizes =
                given.isEmpty() ? RECORDS : given.stream().sorted().distinct().toList();
        int callers = context.settings().callersOr(List.of(CALLERS)).get(0);
        GrowthResults results = new GrowthResults();
        if (context.wants("records")) {
            growth(context, sizes, callers, results);
        }
        if (context.wants("pruning")) {
            new PruningContest(context, callers).run(results);
        }
        if (context.wants("memory")) {
            KeysInMemory.measure(context, results);
        }
        return results.report(context.databases().dialect());
    }

    private static String records(int count) {
        return Figures.count(count) + " records";
    }

    private static void growth(BenchContext context, List<Integer> sizes, int callers, GrowthResults results)
            throws Exception {
        Deque<SemelEngine> opened = new ArrayDeque<>();
        try {
            List<Contender> contenders = new ArrayList<>();
            for (int size : sizes) {
                Database database = context.databases().create("growth" + size);
                SemelEngine semel = SemelEngine.on(Stores.open(database.uri())).build();
                opened.push(semel);
                new Filling(database, context.progress()).fill(size, RETENTION_SECONDS);
                DiskUse use = DiskUse.of(database);
                results.disk(records(size), use);
                context.progress()
                        .line("filled " + records(size) + ": " + Figures.count(use.perRecord()) + " bytes each");
                contenders.add(new Contender(
                        records(size), new BlockingLoad(callers, new SemelCalls(semel).pairs(new Keys("n")))));
            }
            String title = "pairs with existing records, callers: " + callers;
            results.growth(
                    new Rounds(context.settings(), context.progress()).run(title, records(sizes.get(0)), contenders));
        } finally {
            opened.forEach(SemelEngine::close);
        }
    }
}

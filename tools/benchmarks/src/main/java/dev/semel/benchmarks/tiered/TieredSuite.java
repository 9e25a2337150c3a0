package dev.semel.benchmarks.tiered;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.load.AsyncLoad;
import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.ContestReport;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.ReplayedKeys;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What Redis and memory in front of a database change: replays, and what they cost first requests. */
public final class TieredSuite implements Suite {

    private static final List<Integer> CALLERS = List.of(256);
    private static final int REPLAYED_KEYS = 10_000;

    private static final String DATABASE = "database";
    private static final String TIERED = "tiered";
    private static final String MEMORY = "tiered + memory";
    private static final String DATABASE_ASYNC = "database async";
    private static final String TIERED_ASYNC = "tiered async";

    private static final String NOTE =
            "database: the store alone; tiered: the same with a Redis of this run's own in front of it; tiered +"
                    + " memory: with a near-cache in front of that. All on this machine: where the database is across a"
                    + " network and busy, what it is not asked counts for more.";

    @Override
    public String name() {
        return "tiered";
    }

    @Override
    public String description() {
        return "pairs and replays of a database alone, with a Redis in front of it, and with memory in front of both";
    }

    @Override
    public List<String> parts() {
        return List.of("pairs", "replays");
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        List<Integer> records = context.settings().records();
        ReplayedKeys keys = new ReplayedKeys(records.isEmpty() ? REPLAYED_KEYS : records.get(0));
        Rounds rounds = new Rounds(context.settings(), context.progress());
        List<Contest> contests = new ArrayList<>();
        try (TieredArena arena = new TieredArena(context, keys)) {
            for (int callers : context.settings().callersOr(CALLERS)) {
                if (context.wants("pairs")) {
                    contests.add(pairs(rounds, arena, callers));
                }
                if (context.wants("replays")) {
                    contests.add(replays(rounds, arena, callers, keys));
                }
            }
        }
        return ContestReport.of("tiered", contests, "calls/s", Set.of(TIERED, MEMORY, TIERED_ASYNC), NOTE);
    }

    private static Contest pairs(Rounds rounds, TieredArena arena, int callers) throws Exception {
        return rounds.run(
                "pairs, " + callers + " callers",
                DATABASE,
                List.of(
                        new Contender(
                                DATABASE, new BlockingLoad(callers, arena.database.pairs(new Keys("d" + callers)))),
                        new Contender(TIERED, new BlockingLoad(callers, arena.tiered.pairs(new Keys("t" + callers)))),
                        new Contender(MEMORY, new BlockingLoad(callers, arena.memory.pairs(new Keys("m" + callers))))));
    }

    private static Contest replays(Rounds rounds, TieredArena arena, int callers, ReplayedKeys keys) throws Exception {
        return rounds.run(
                "replays, " + callers + " callers",
                DATABASE,
                List.of(
                        new Contender(DATABASE, new BlockingLoad(callers, arena.database.replays(keys))),
                        new Contender(TIERED, new BlockingLoad(callers, arena.tiered.replays(keys))),
                        new Contender(MEMORY, new BlockingLoad(callers, arena.memory.replays(keys))),
                        new Contender(DATABASE_ASYNC, new AsyncLoad(callers, arena.database.asyncReplays(keys))),
                        new Contender(TIERED_ASYNC, new AsyncLoad(callers, arena.tiered.asyncReplays(keys)))));
    }
}

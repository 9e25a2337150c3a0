package dev.semel.benchmarks.redis;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.load.AsyncCall;
import dev.semel.benchmarks.load.AsyncLoad;
import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Call;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.store.Keys;
import dev.semel.benchmarks.store.ReplayedKeys;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import java.util.List;

/** Pairs and replays per second on one Redis, and what a record takes of its memory. */
public final class RedisSuite implements Suite {

    private static final List<Integer> CALLERS = List.of(RedisResults.CROWD);
    private static final int REPLAYED_KEYS = 10_000;

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public String description() {
        return "pairs (claim and complete) and replays on one Redis, next to the bare scripts, bare GETs and other"
                + " libraries, and bytes per record in memory";
    }

    @Override
    public List<String> parts() {
        return List.of("pairs", "replays", "memory");
    }

    @Override
    public Kind kind() {
        return Kind.REDIS;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        RedisResults results = new RedisResults();
        List<Integer> records = context.settings().records();
        if (context.wants("memory")) {
            results.memory(MemoryUse.of(context, records.isEmpty() ? MemoryUse.RECORDS : records.get(0)));
        }
        if (context.wants("pairs") || context.wants("replays")) {
            ReplayedKeys keys = new ReplayedKeys(records.isEmpty() ? REPLAYED_KEYS : records.get(0));
            try (RedisArena arena = new RedisArena(context, keys)) {
                contests(context, arena, keys, results);
            }
        }
        return results.report();
    }

    private static void contests(BenchContext context, RedisArena arena, ReplayedKeys keys, RedisResults results)
            throws Exception {
        Rounds rounds = new Rounds(context.settings(), context.progress());
        for (int callers : context.settings().callersOr(CALLERS)) {
            if (context.wants("pairs")) {
                results.throughput(pairs(rounds, arena, callers), "pairs/s", callers);
            }
            if (context.wants("replays")) {
                results.throughput(replays(rounds, arena, callers, keys), "replays/s", callers);
            }
        }
    }

    private static Contest pairs(Rounds rounds, RedisArena arena, int callers) throws Exception {
        return rounds.run(
                "pairs, " + named(callers),
                RedisNames.BARE,
                List.of(
                        blocking(RedisNames.SEMEL, callers, arena.calls.pairs(new Keys("p" + callers))),
                        blocking(RedisNames.BARE, callers, arena.bare.pairs(new Keys("b" + callers))),
                        async(RedisNames.SEMEL_ASYNC, callers, arena.calls.asyncPairs(new Keys("q" + callers))),
                        async(RedisNames.BARE_ASYNC, callers, arena.bare.asyncPairs(new Keys("c" + callers))),
                        blocking(RedisNames.JDEMPOTENT, callers, arena.jdempotent.pairs(new Keys("j" + callers))),
                        blocking(RedisNames.SPRING, callers, arena.spring.receipts(new Keys("s" + callers))),
                        blocking(RedisNames.SPRING_PUT, callers, arena.spring.pairs(new Keys("t" + callers)))));
    }

    private static Contest replays(Rounds rounds, RedisArena arena, int callers, ReplayedKeys keys) throws Exception {
        return rounds.run(
                "replays, " + named(callers),
                RedisNames.GET,
                List.of(
                        blocking(RedisNames.SEMEL, callers, arena.calls.replays(keys)),
                        blocking(RedisNames.GET, callers, arena.bare.gets(keys)),
                        async(RedisNames.SEMEL_ASYNC, callers, arena.calls.asyncReplays(keys)),
                        async(RedisNames.GET_ASYNC, callers, arena.bare.asyncGets(keys)),
                        blocking(RedisNames.JDEMPOTENT, callers, arena.jdempotent.replays(keys)),
                        blocking(RedisNames.SPRING, callers, arena.spring.replays(keys))));
    }

    private static Contender blocking(String name, int callers, Call call) {
        return new Contender(name, new BlockingLoad(callers, call));
    }

    private static Contender async(String name, int callers, AsyncCall call) {
        return new Contender(name, new AsyncLoad(callers, call));
    }

    private static String named(int number) {
        return number == 1 ? "1 caller" : number + " callers";
    }
}

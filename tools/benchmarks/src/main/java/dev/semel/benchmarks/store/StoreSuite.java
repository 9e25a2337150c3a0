package dev.semel.benchmarks.store;

import dev.semel.Operation.ClaimTime;
import dev.semel.benchmarks.database.Dialect;
import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.load.AsyncLoad;
import dev.semel.benchmarks.load.BlockingLoad;
import dev.semel.benchmarks.load.Call;
import dev.semel.benchmarks.load.Contender;
import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.PacedLoad;
import dev.semel.benchmarks.load.Rounds;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Claims, completions and replays per second, and how long they take. */
public final class StoreSuite implements Suite {

    private static final List<Integer> PAIRS_CALLERS = List.of(1, 16, 64, 256);
    private static final List<Integer> CALLERS = List.of(StoreTargets.REPLAY_CALLERS);
    private static final List<Integer> TRANSACTION_CALLERS = List.of(16);

    /** All contenders take part with so many callers; with fewer, only those that a target is judged by. */
    private static final int CROWD = 256;

    private static final int REPLAYED_KEYS = 10_000;

    @Override
    public String name() {
        return "store";
    }

    @Override
    public String description() {
        return "pairs (claim and complete), claims, replays, transactions and latency, next to hand-written tables,"
                + " other libraries, and the bare SQL";
    }

    @Override
    public List<String> parts() {
        return List.of("pairs", "claims", "replays", "transactions", "latency");
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    @Override
    public Report run(BenchContext context) throws Exception {
        int most = Collections.max(context.settings().callersOr(PAIRS_CALLERS));
        List<Integer> records = context.settings().records();
        ReplayedKeys keys = new ReplayedKeys(records.isEmpty() ? REPLAYED_KEYS : records.get(0));
        try (Arena arena = new Arena(context, most, keys)) {
            return new Run(context, arena, keys).run();
        }
    }

    /** One run on one arena. */
    private static final class Run {

        private final BenchContext context;
        private final Arena arena;
        private final ReplayedKeys replayed;
        private final Rounds rounds;
        private final StoreResults results = new StoreResults();
        private final byte[] response = Payload.response();

        Run(BenchContext context, Arena arena, ReplayedKeys replayed) {
            this.context = context;
            this.arena = arena;
            this.replayed = replayed;
            this.rounds = new Rounds(context.settings(), context.progress());
        }

        Report run() throws Exception {
            for (int callers : callers("pairs", PAIRS_CALLERS)) {
                results.throughput(pairs(callers), "pairs/s", callers);
            }
            for (int callers : callers("claims", CALLERS)) {
                results.throughput(claims(callers), "claims/s", callers);
            }
            if (context.wants("replays")) {
                replays();
            }
            for (int callers : callers("transactions", TRANSACTION_CALLERS)) {
                results.throughput(transactions(callers), "orders/s", callers);
            }
            for (int callers : callers("latency", CALLERS)) {
                results.latency(paced(callers));
            }
            return results.report(arena);
        }

        /** How many callers to measure a part with; empty if it was not asked for. */
        private List<Integer> callers(String part, List<Integer> otherwise) {
            return context.wants(part) ? context.settings().callersOr(otherwise) : List.of();
        }

        private void replays() throws Exception {
            arena.fillNearCache(replayed);
            for (int callers : callers("replays", CALLERS)) {
                long before = arena.nearStore.roundTrips();
                results.throughput(replays(callers), "replays/s", callers);
                results.nearRoundTrips(arena.nearStore.roundTrips() - before);
            }
        }

        private Contest pairs(int callers) throws Exception {
            List<Contender> contenders = new ArrayList<>();
            Keys own = new Keys("p" + callers);
            Keys async = new Keys("q" + callers);
            Keys keys = new Keys("h" + callers);
            contenders.add(blocking(Names.SEMEL, callers, arena.calls.pairs(own)));
            if (callers > 1) {
                contenders.add(new Contender(Names.SEMEL_ASYNC, new AsyncLoad(callers, arena.calls.asyncPairs(async))));
            }
            contenders.add(blocking(Names.SERIALIZABLE, callers, () -> arena.serializable.pair(keys.next(), response)));
            contenders.add(blocking(Names.CONFLICT, callers, () -> arena.conflict.pair(keys.next(), response)));
            boolean all = callers >= CROWD || !context.settings().callers().isEmpty();
            Dialect dialect = arena.database.dialect();
            if (all && dialect == Dialect.POSTGRESQL) {
                BareLoop bare = arena.bare();
                contenders.add(blocking(Names.BARE, callers, bare.pairs(new Keys("e" + callers))));
                contenders.add(new Contender(
                        Names.BARE_ASYNC, new AsyncLoad(callers, bare.asyncPairs(new Keys("f" + callers)))));
            }
            if (all && dialect != Dialect.SQLITE) {
                Peers peers = arena.peers();
                contenders.add(blocking(Names.CAMEL, callers, peers.camel().pairs(new Keys("c" + callers))));
                contenders.add(blocking(Names.SPRING, callers, peers.spring().pairs(new Keys("s" + callers))));
            }
            return rounds.run("pairs, " + named(callers), Names.CONFLICT, contenders);
        }

        private Contest claims(int callers) throws Exception {
            Keys own = new Keys("k" + callers);
            Keys async = new Keys("l" + callers);
            Keys keys = new Keys("m" + callers);
            return rounds.run(
                    "claims, " + named(callers),
                    Names.CONFLICT,
                    List.of(
                            blocking(Names.SEMEL, callers, SemelCalls.claims(arena.store, own)),
                            new Contender(
                                    Names.SEMEL_ASYNC,
                                    new AsyncLoad(callers, SemelCalls.asyncClaims(arena.store, async))),
                            blocking(Names.SERIALIZABLE, callers, () -> arena.serializable.claim(keys.next())),
                            blocking(Names.CONFLICT, callers, () -> arena.conflict.claim(keys.next()))));
        }

        private Contest replays(int callers) throws Exception {
            return rounds.run(
                    "replays, " + named(callers),
                    Names.SELECT,
                    List.of(
                            blocking(Names.SEMEL, callers, arena.calls.replays(replayed)),
                            new Contender(
                                    Names.SEMEL_ASYNC, new AsyncLoad(callers, arena.calls.asyncReplays(replayed))),
                            blocking(Names.NEAR_CACHE, callers, arena.nearCalls.replays(replayed)),
                            blocking(Names.SERIALIZABLE, callers, () -> replay(arena.serializable, replayed.any())),
                            blocking(Names.SELECT, callers, () -> replay(arena.conflict, replayed.any()))));
        }

        private static void replay(HandWritten table, String key) throws Exception {
            if (table.replay(key).isEmpty()) {
                throw new IllegalStateException("the key " + key + " was to be completed already");
            }
        }

        private Contest transactions(int callers) throws Exception {
            return rounds.run(
                    "orders in a transaction, " + named(callers),
                    Names.DOMAIN,
                    List.of(
                            blocking(
                                    Names.TRANSACTION,
                                    callers,
                                    arena.orders.guarded(arena.semel, ClaimTime.EARLY, new Keys("t" + callers))),
                            blocking(
                                    Names.LATE_TRANSACTION,
                                    callers,
                                    arena.orders.guarded(arena.semel, ClaimTime.LATE, new Keys("u" + callers))),
                            blocking(
                                    Names.HAND_TRANSACTION,
                                    callers,
                                    arena.orders.handWritten(arena.conflictStatements, new Keys("w" + callers))),
                            blocking(Names.DOMAIN, callers, arena.orders.alone(new Keys("d" + callers)))));
        }

        /** At half of what the slowest can do, so that no contender is measured by its queue. */
        private Contest paced(int callers) throws Exception {
            Keys keys = new Keys("r" + callers);
            List<String> names = List.of(Names.SEMEL, Names.SERIALIZABLE, Names.CONFLICT);
            List<Call> calls = List.of(
                    arena.calls.pairs(keys),
                    () -> arena.serializable.pair(keys.next(), response),
                    () -> arena.conflict.pair(keys.next(), response));
            double slowest = Double.MAX_VALUE;
            for (Call call : calls) {
                context.progress().status("looking for a rate that all can keep");
                slowest = Math.min(
                        slowest,
                        new BlockingLoad(callers, call)
                                .run(context.settings().slice())
                                .perSecond());
            }
            double rate = slowest / 2;
            List<Contender> contenders = new ArrayList<>();
            for (int index = 0; index < names.size(); index++) {
                contenders.add(new Contender(names.get(index), new PacedLoad(callers, rate, calls.get(index))));
            }
            String title = "latency of pairs at " + Figures.count(rate) + "/s, at most " + named(callers);
            return rounds.run(title, Names.CONFLICT, contenders);
        }

        private static Contender blocking(String name, int callers, Call call) {
            return new Contender(name, new BlockingLoad(callers, call));
        }

        private static String named(int number) {
            return number == 1 ? "1 caller" : number + " callers";
        }
    }
}

package dev.semel.benchmarks.store;

import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.report.Target;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was aimed at on PostgreSQL, with both sides measured in the same rounds. */
final class StoreTargets {

    static final int REPLAY_CALLERS = 64;

    private static final int CROWD = 256;

    private StoreTargets() {}

    /**
     * Judges what was measured.
     *
     * @param contests by what they are about and how many callers they had, such as {@code pairs/s 256}
     * @param nearRoundTrips what replays from memory asked the store
     */
    static List<Target> of(Map<String, Contest> contests, @Nullable Long nearRoundTrips) {
        Contest crowd = contests.get("pairs/s " + CROWD);
        Contest alone = contests.get("pairs/s 1");
        Contest replays = contests.get("replays/s " + REPLAY_CALLERS);
        Contest orders = contests.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith("orders/s "))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        return List.of(
                Target.atLeast(
                        4.5,
                        "pairs of 256 blocking callers: semel / serializable",
                        ratio(crowd, Names.SEMEL, Names.SERIALIZABLE)),
                Target.atLeast(
                        3.5,
                        "pairs of 256 blocking callers: semel / insert-on-conflict",
                        ratio(crowd, Names.SEMEL, Names.CONFLICT)),
                Target.atLeast(
                        8,
                        "pairs of 256 asynchronous callers: semel / serializable",
                        ratio(crowd, Names.SEMEL_ASYNC, Names.SERIALIZABLE)),
                Target.atLeast(
                        0.85,
                        "pairs of 256 blocking callers: semel / bare loop",
                        ratio(crowd, Names.SEMEL, Names.BARE)),
                Target.atLeast(
                        0.85,
                        "pairs of 256 asynchronous callers: semel / bare loop",
                        ratio(crowd, Names.SEMEL_ASYNC, Names.BARE_ASYNC)),
                Target.atMost(
                        1.15,
                        "median latency of a pair, 1 caller: semel / insert-on-conflict",
                        alone == null ? null : alone.latencyRatio(Names.SEMEL, Names.CONFLICT, 50)),
                Target.atLeast(
                        2.5,
                        "replays from the store, 64 blocking callers: semel / one select",
                        ratio(replays, Names.SEMEL, Names.SELECT)),
                Target.atLeast(
                        2.5,
                        "replays from the store, 64 asynchronous callers: semel / one select",
                        ratio(replays, Names.SEMEL_ASYNC, Names.SELECT)),
                Target.atLeast(
                        100,
                        "replays from the near-cache, 64 callers: semel / one select",
                        ratio(replays, Names.NEAR_CACHE, Names.SELECT)),
                Target.atMost(
                        0,
                        "replays from the near-cache: round trips to the store",
                        nearRoundTrips == null ? null : new Spread(nearRoundTrips, nearRoundTrips, nearRoundTrips)),
                Target.atLeast(
                        0.65,
                        "orders in a transaction: semel / domain insert alone",
                        ratio(orders, Names.TRANSACTION, Names.DOMAIN)),
                Target.atLeast(
                        1,
                        "orders in a transaction: semel / hand-written",
                        ratio(orders, Names.TRANSACTION, Names.HAND_TRANSACTION)));
    }

    private static @Nullable Spread ratio(@Nullable Contest contest, String name, String against) {
        return contest == null || !contest.has(name) || !contest.has(against) ? null : contest.ratio(name, against);
    }
}

package dev.semel.benchmarks.redis;

import dev.semel.benchmarks.load.Contest;
import dev.semel.benchmarks.load.ContestReport;
import dev.semel.benchmarks.report.Chart;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.report.Table;
import dev.semel.benchmarks.report.Target;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Collects contests into the report of the suite. */
final class RedisResults {

    /** How many callers the targets are about. */
    static final int CROWD = 256;

    private final List<Table> tables = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final Map<String, Contest> contests = new HashMap<>();

    /** @param unit what is counted, such as {@code pairs/s} */
    void throughput(Contest contest, String unit, int callers) {
        tables.add(ContestReport.throughput(contest));
        charts.add(ContestReport.throughputChart(contest, unit, RedisNames.OWN));
        samples.addAll(ContestReport.samples(contest));
        contests.put(unit + " " + callers, contest);
    }

    void memory(MemoryUse use) {
        String name = Figures.count((double) use.records()) + " records";
        tables.add(new Table(
                "in Redis' memory, with indexes and audit, 256-byte responses",
                List.of("", "bytes per record", "MB"),
                List.of(List.of(name, Figures.count(use.perRecord()), Figures.count(use.bytes() / 1e6)))));
        samples.add(new Sample("bytes in memory", name, 1, "bytes per record", use.perRecord(), "B"));
    }

    Report report() {
        return new Report("redis", tables, targets(), charts, samples, notes());
    }

    private List<Target> targets() {
        Contest pairs = contests.get("pairs/s " + CROWD);
        Contest replays = contests.get("replays/s " + CROWD);
        return List.of(
                atLeast(0.7, "pairs of 256 blocking callers: ", pairs, RedisNames.SEMEL, RedisNames.BARE),
                atLeast(
                        0.7,
                        "pairs of 256 asynchronous callers: ",
                        pairs,
                        RedisNames.SEMEL_ASYNC,
                        RedisNames.BARE_ASYNC),
                atLeast(0.8, "replays to 256 blocking callers: ", replays, RedisNames.SEMEL, RedisNames.GET),
                atLeast(
                        0.8,
                        "replays to 256 asynchronous callers: ",
                        replays,
                        RedisNames.SEMEL_ASYNC,
                        RedisNames.GET_ASYNC),
                atLeast(1, "pairs of 256 callers: ", pairs, RedisNames.SEMEL, RedisNames.JDEMPOTENT),
                atLeast(1, "pairs of 256 callers: ", pairs, RedisNames.SEMEL, RedisNames.SPRING_PUT),
                atLeast(1, "pairs of 256 callers: ", pairs, RedisNames.SEMEL_ASYNC, RedisNames.SPRING),
                atLeast(1, "replays to 256 callers: ", replays, RedisNames.SEMEL, RedisNames.JDEMPOTENT),
                atLeast(1, "replays to 256 callers: ", replays, RedisNames.SEMEL, RedisNames.SPRING));
    }

    private static Target atLeast(double wanted, String what, @Nullable Contest contest, String name, String against) {
        Spread ratio = contest == null ? null : contest.ratio(name, against);
        return Target.atLeast(wanted, what + name + " / " + against, ratio);
    }

    private static List<String> notes() {
        return List.of(
                "semel: execute() of the engine, blocking; semel async: executeAsync(), as many under way as there are"
                        + " callers elsewhere. Every pair stores a response of 256 bytes, is fenced and audited.",
                "bare evalsha: the scripts of Semel's own store with the same arguments through the same client, Lettuce, on"
                        + " one shared connection, without timeouts and without an engine around them; bare get: a value as"
                        + " large as a replay's answer, on the same connection.",
                "jdempotent: RedisIdempotentRepository as its aspect calls it, three GETs and two SETs for a pair, nothing"
                        + " atomic; spring-integration: RedisMetadataStore as its idempotent receiver calls it, one HSETNX, and"
                        + " no response; with put, the response in a second command. Both through Spring's own shared"
                        + " connection.");
    }
}

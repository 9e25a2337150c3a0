package dev.semel.benchmarks.http;

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What the HTTP suite measured, as tables, charts, samples and targets. */
final class HttpResults {

    private static final Set<String> OWN = Set.of(Sides.SEMEL, Sides.MEMORY, Sides.NEAR_CACHE, Sides.GATEWAY);

    private final List<Measured> all = new ArrayList<>();

    /**
     * One contest.
     *
     * @param costs of each side, one for each round
     * @param paced whether requests came at a fixed rate
     */
    record Measured(
            Contest contest, Map<String, List<HttpLoad.Cost>> costs, Traffic traffic, int connections, boolean paced) {

        Spread cost(String side, ToDoubleFunction<HttpLoad.Cost> which) {
            return Spread.of(costs.getOrDefault(side, List.of()).stream()
                    .map(which::applyAsDouble)
                    .toList());
        }

        /** What a side costs more than another, round by round. */
        Spread added(String side, String than) {
            List<HttpLoad.Cost> mine = costs.getOrDefault(side, List.of());
            List<HttpLoad.Cost> theirs = costs.getOrDefault(than, List.of());
            List<Double> more = new ArrayList<>();
            for (int round = 0; round < mine.size(); round++) {
                more.add(mine.get(round).server() - theirs.get(round).server());
            }
            return Spread.of(more);
        }
    }

    void add(Measured measured) {
        all.add(measured);
    }

    Report report(Map<Integer, Integer> poolSizes) {
        List<Table> tables = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        for (Measured measured : all) {
            tables.add(table(measured));
            samples.addAll(ContestReport.samples(measured.contest()));
            samples.addAll(costs(measured));
            if (!measured.paced()) {
                charts.add(ContestReport.throughputChart(measured.contest(), "requests/s", OWN));
            }
        }
        List<String> notes = new ArrayList<>();
        notes.add(
                "server and database: processor time of one request, in microseconds; SQLite's is a part of the server's;"
                        + " the gateway's server includes the unprotected one behind it");
        poolSizes.forEach((connections, size) ->
                notes.add("the hand-written filter has a pool of " + size + " for " + connections + " connections"));
        return new Report("http", tables, targets(), charts, samples, notes);
    }

    private static Table table(Measured measured) {
        Contest contest = measured.contest();
        List<List<String>> rows = new ArrayList<>();
        for (String name : contest.names()) {
            Spread perSecond = contest.perSecond(name);
            Spread ratio = contest.ratio(name, contest.baseline());
            rows.add(List.of(
                    name,
                    Figures.count(perSecond.median()),
                    Figures.countRange(perSecond),
                    Figures.ratio(ratio.median()),
                    Figures.range(ratio),
                    Figures.ratio(contest.ratio(name, Sides.NONE).median()),
                    micros(measured.cost(name, HttpLoad.Cost::server)),
                    micros(measured.cost(name, HttpLoad.Cost::database)),
                    latency(contest, name, 50),
                    latency(contest, name, 99)));
        }
        return new Table(
                contest.title(),
                List.of(
                        "",
                        "per second",
                        "of the rounds",
                        "× hand-written",
                        "of the rounds",
                        "× " + Sides.NONE,
                        "server",
                        "database",
                        "p50",
                        "p99"),
                rows);
    }

    private static String micros(Spread spread) {
        return Figures.count(spread.median());
    }

    /** The median of the rounds: one round in which the machine was busy with other work does not decide it. */
    private static String latency(Contest contest, String name, double percentile) {
        return Figures.micros(Spread.of(contest.of(name).stream()
                        .map(slice -> slice.percentileMicros(percentile))
                        .toList())
                .median());
    }

    private static List<Sample> costs(Measured measured) {
        List<Sample> samples = new ArrayList<>();
        measured.costs().forEach((side, costs) -> {
            for (int round = 0; round < costs.size(); round++) {
                String title = measured.contest().title();
                HttpLoad.Cost cost = costs.get(round);
                samples.add(new Sample(title, side, round + 1, "server", cost.server(), "µs"));
                samples.add(new Sample(title, side, round + 1, "database", cost.database(), "µs"));
            }
        });
        return samples;
    }

    private List<Target> targets() {
        Measured crowd = found(Traffic.NEW, 64);
        Measured alone = found(Traffic.NEW, 1);
        Measured replays = found(Traffic.REPLAYS, 64);
        return List.of(
                Target.atLeast(
                        2,
                        "new keys, 64 connections: semel / hand-written filter",
                        crowd == null ? null : crowd.contest().ratio(Sides.SEMEL, Sides.HAND_WRITTEN)),
                Target.atLeast(
                        1,
                        "new keys, 64 connections: semel / spring-integration",
                        crowd == null || !crowd.contest().names().contains(Sides.LIBRARY)
                                ? null
                                : crowd.contest().ratio(Sides.SEMEL, Sides.LIBRARY)),
                Target.atMost(
                        1.15,
                        "median latency of a new key, 1 connection: semel / hand-written filter",
                        alone == null ? null : alone.contest().latencyRatio(Sides.SEMEL, Sides.HAND_WRITTEN, 50)),
                Target.atLeast(
                        3,
                        "replays, 64 connections: semel / hand-written filter",
                        replays == null ? null : replays.contest().ratio(Sides.SEMEL, Sides.HAND_WRITTEN)),
                Target.atLeast(
                        0.8,
                        "new keys, 64 connections: semel in memory / no protection",
                        crowd == null ? null : crowd.contest().ratio(Sides.MEMORY, Sides.NONE)),
                Target.atMost(
                        10,
                        "microseconds that semel in memory adds to a request, 64 connections",
                        crowd == null ? null : crowd.added(Sides.MEMORY, Sides.NONE)));
    }

    private @Nullable Measured found(Traffic traffic, int connections) {
        return all.stream()
                .filter(each -> each.traffic() == traffic && each.connections() == connections && !each.paced())
                .findFirst()
                .orElse(null);
    }
}

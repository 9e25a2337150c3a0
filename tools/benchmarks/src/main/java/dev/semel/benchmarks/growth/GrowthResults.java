package dev.semel.benchmarks.growth;

import dev.semel.benchmarks.database.Dialect;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Collects what came of growth and of pruning into a report. */
final class GrowthResults {

    private static final String FEW = "10,000 records";
    private static final String MANY = "5,000,000 records";

    private final Map<String, DiskUse> disk = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();
    private @Nullable Contest growth;
    private @Nullable Contest pruning;

    void growth(Contest contest) {
        growth = contest;
    }

    void pruning(Contest contest) {
        pruning = contest;
    }

    void disk(String name, DiskUse use) {
        disk.put(name, use);
    }

    void note(String text) {
        notes.add(text);
    }

    Report report(Dialect dialect) {
        List<Table> tables = new ArrayList<>();
        List<Chart> charts = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        Stream.of(growth, pruning).filter(Objects::nonNull).forEach(contest -> {
            tables.add(ContestReport.throughput(contest));
            charts.add(ContestReport.throughputChart(contest, "pairs/s", Set.copyOf(contest.names())));
            samples.addAll(ContestReport.samples(contest));
        });
        if (!disk.isEmpty()) {
            tables.add(diskTable());
            charts.add(diskChart());
            note(
                    "Each number of records lies in a database of its own, with the audit of every record; statistics are up"
                            + " to date.");
        }
        disk.forEach((name, use) ->
                samples.add(new Sample("bytes on disk", name, 1, "bytes per record", use.perRecord(), "B")));
        return new Report(
                "growth", tables, dialect == Dialect.POSTGRESQL ? targets() : List.of(), charts, samples, notes);
    }

    private List<Target> targets() {
        return List.of(
                Target.atLeast(0.8, "pairs with 5,000,000 records / with 10,000", ratio(growth, MANY, FEW)),
                Target.atLeast(
                        0.8,
                        "pairs while as much is pruned as comes in / while nothing is",
                        ratio(pruning, PruningContest.PACED, PruningContest.IDLE)),
                Target.atLeast(
                        0.8,
                        "pairs while a backlog is pruned without a pause / while nothing is",
                        ratio(pruning, PruningContest.BACKLOG, PruningContest.IDLE)));
    }

    private static @Nullable Spread ratio(@Nullable Contest contest, String name, String against) {
        return contest == null || !contest.has(name) || !contest.has(against) ? null : contest.ratio(name, against);
    }

    private Table diskTable() {
        List<List<String>> rows = new ArrayList<>();
        disk.forEach((name, use) ->
                rows.add(List.of(name, Figures.count(use.perRecord()), Figures.count(use.bytes() / 1e6))));
        return new Table(
                "on disk, with indexes and audit, 256-byte responses", List.of("", "bytes per record", "MB"), rows);
    }

    private Chart diskChart() {
        List<Chart.Bar> bars = new ArrayList<>();
        disk.forEach((name, use) -> {
            double bytes = use.perRecord();
            bars.add(new Chart.Bar(name, new Spread(bytes, bytes, bytes), true, Figures.count(bytes)));
        });
        return new Chart("on disk, with indexes and audit", "bytes per record", bars);
    }
}

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
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What came of growth and of pruning, as a report. */
record GrowthResults(Contest growth, Contest pruning, List<String> notes, Map<String, DiskUse> disk) {

    private static final String FEW = "10,000 records";
    private static final String MANY = "5,000,000 records";

    Report report(Dialect dialect) {
        List<Sample> samples = new ArrayList<>(ContestReport.samples(growth));
        samples.addAll(ContestReport.samples(pruning));
        disk.forEach((name, use) ->
                samples.add(new Sample("bytes on disk", name, 1, "bytes per record", use.perRecord(), "B")));
        List<String> all = new ArrayList<>(notes);
        all.add(
                "Each number of records lies in a database of its own on the same server, with the audit of every record;"
                        + " statistics are up to date.");
        return new Report(
                "growth",
                List.of(ContestReport.throughput(growth), ContestReport.throughput(pruning), diskTable()),
                dialect == Dialect.POSTGRESQL ? targets() : List.of(),
                List.of(
                        ContestReport.throughputChart(growth, "pairs/s", Set.copyOf(growth.names())),
                        ContestReport.throughputChart(pruning, "pairs/s", Set.copyOf(pruning.names())),
                        diskChart()),
                samples,
                all);
    }

    private List<Target> targets() {
        return List.of(
                Target.atLeast(0.8, "pairs with 5,000,000 records / with 10,000", grown()),
                Target.atLeast(
                        0.8,
                        "pairs while as much is pruned as comes in / while nothing is",
                        pruning.ratio(PruningContest.PACED, PruningContest.IDLE)),
                Target.atLeast(
                        0.8,
                        "pairs while a backlog is pruned without a pause / while nothing is",
                        pruning.ratio(PruningContest.BACKLOG, PruningContest.IDLE)));
    }

    private @Nullable Spread grown() {
        return growth.has(FEW) && growth.has(MANY) ? growth.ratio(MANY, FEW) : null;
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

package dev.semel.benchmarks.load;

import dev.semel.benchmarks.report.Chart;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.report.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A contest as a table, a chart and samples. */
public final class ContestReport {

    private static final List<Double> PERCENTILES = List.of(50.0, 90.0, 99.0, 99.9);

    private ContestReport() {}

    /**
     * A suite of contests in throughput, without targets.
     *
     * @param unit what is counted, such as {@code messages/s}
     * @param own names of the contenders that stand for what is being measured
     */
    public static Report of(String suite, List<Contest> contests, String unit, Set<String> own, String note) {
        return new Report(
                suite,
                contests.stream().map(ContestReport::throughput).toList(),
                List.of(),
                contests.stream()
                        .map(contest -> throughputChart(contest, unit, own))
                        .toList(),
                contests.stream().flatMap(contest -> samples(contest).stream()).toList(),
                List.of(note));
    }

    /** Calls per second, how they compare with the baseline, and how long calls took. */
    public static Table throughput(Contest contest) {
        List<List<String>> rows = new ArrayList<>();
        for (String name : contest.names()) {
            Spread perSecond = contest.perSecond(name);
            Spread ratio = contest.ratio(name, contest.baseline());
            boolean baseline = name.equals(contest.baseline());
            rows.add(List.of(
                    name,
                    Figures.count(perSecond.median()),
                    Figures.countRange(perSecond),
                    baseline ? "1" : Figures.ratio(ratio.median()),
                    baseline ? "" : Figures.range(ratio),
                    Figures.micros(contest.percentileMicros(name, 50)),
                    Figures.micros(contest.percentileMicros(name, 99))));
        }
        return new Table(
                contest.title(),
                List.of("", "per second", "of the rounds", "× " + contest.baseline(), "of the rounds", "p50", "p99"),
                rows);
    }

    /** How long calls took, and how the median call compares with the baseline's. */
    public static Table latency(Contest contest) {
        List<List<String>> rows = new ArrayList<>();
        for (String name : contest.names()) {
            Spread ratio = contest.latencyRatio(name, contest.baseline(), 50);
            List<String> row = new ArrayList<>();
            row.add(name);
            for (double percentile : PERCENTILES) {
                row.add(Figures.micros(contest.percentileMicros(name, percentile)));
            }
            boolean baseline = name.equals(contest.baseline());
            row.add(baseline ? "1" : Figures.ratio(ratio.median()));
            row.add(baseline ? "" : Figures.range(ratio));
            rows.add(row);
        }
        return new Table(
                contest.title(),
                List.of("", "p50", "p90", "p99", "p99.9", "p50 × " + contest.baseline(), "of the rounds"),
                rows);
    }

    /**
     * Calls per second as bars.
     *
     * @param own names of the contenders that stand for what is being measured
     */
    public static Chart throughputChart(Contest contest, String unit, Set<String> own) {
        List<Chart.Bar> bars = new ArrayList<>();
        for (String name : contest.names()) {
            Spread perSecond = contest.perSecond(name);
            String ratio = Figures.ratio(contest.ratio(name, contest.baseline()).median());
            String label =
                    Figures.count(perSecond.median()) + (name.equals(contest.baseline()) ? "" : "  (" + ratio + " ×)");
            bars.add(new Chart.Bar(name, perSecond, own.contains(name), label));
        }
        return new Chart(contest.title(), unit + " (× " + contest.baseline() + ")", bars);
    }

    public static List<Sample> samples(Contest contest) {
        List<Sample> samples = new ArrayList<>();
        contest.slices().forEach((name, slices) -> {
            for (int round = 0; round < slices.size(); round++) {
                Slice slice = slices.get(round);
                int number = round + 1;
                samples.add(new Sample(contest.title(), name, number, "calls", slice.perSecond(), "1/s"));
                for (double percentile : PERCENTILES) {
                    samples.add(new Sample(
                            contest.title(),
                            name,
                            number,
                            "p" + (percentile == 99.9 ? "99.9" : Figures.count(percentile)),
                            slice.percentileMicros(percentile),
                            "µs"));
                }
            }
        });
        return samples;
    }
}

package dev.semel.benchmarks.gateway;

import dev.semel.benchmarks.report.Chart;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.report.Table;
import dev.semel.benchmarks.report.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/** The report of the suite, from what its parts measured. */
final class GatewayResults {

    private static final double MOST_PASS_THROUGH = 1.5;
    private static final double MOST_PROTECTED = 2.5;
    private static final double MOST_HELD_MEBIBYTES = 512;

    /** What a virtual machine compiles and caches later than in the first round; a leak passes it in minutes. */
    private static final double MOST_GROWTH = 1.1;

    private final List<Table> tables = new ArrayList<>();
    private final List<Target> targets = new ArrayList<>();
    private final List<Chart> charts = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    void note(String text) {
        notes.add(text);
    }

    void processorTime(Map<String, ProcessorTime.Figures> measured) {
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Bar> bars = new ArrayList<>();
        measured.forEach((name, figures) -> {
            Spread micros = Spread.of(figures.micros());
            Spread ratio = ratio(measured, name);
            rows.add(List.of(
                    name,
                    Figures.micros(micros.median()),
                    Figures.micros(micros.least()) + "–" + Figures.micros(micros.greatest()),
                    Figures.ratio(ratio.median()),
                    Figures.range(ratio),
                    Figures.count(Spread.of(figures.perSecond()).median())));
            bars.add(new Chart.Bar(
                    name,
                    micros,
                    !name.startsWith(ProcessorTime.HOP),
                    Figures.micros(micros.median()) + "  (" + Figures.ratio(ratio.median()) + " ×)"));
            for (int round = 0; round < figures.micros().size(); round++) {
                samples.add(new Sample(
                        "processor time",
                        name,
                        round + 1,
                        "per request",
                        figures.micros().get(round),
                        "µs"));
            }
        });
        tables.add(new Table(
                "processor time per request",
                List.of("", "", "of the rounds", "× bare hop", "of the rounds", "requests/s"),
                rows));
        charts.add(new Chart("processor time per request", "µs (× bare hop)", bars));
        target(measured, MOST_PASS_THROUGH, ProcessorTime.PASS_THROUGH);
        target(measured, MOST_PASS_THROUGH, ProcessorTime.PASS_THROUGH + ProcessorTime.HTTP2);
        target(measured, MOST_PROTECTED, ProcessorTime.PROTECTED);
        target(measured, MOST_PROTECTED, ProcessorTime.PROTECTED + ProcessorTime.NEW_KEYS);
    }

    private void target(Map<String, ProcessorTime.Figures> measured, double most, String name) {
        if (measured.containsKey(name)) {
            targets.add(Target.atMost(most, name + " / bare hop", ratio(measured, name)));
        }
    }

    /** How many times the bare hop's processor time a side takes, round by round. */
    private static Spread ratio(Map<String, ProcessorTime.Figures> measured, String name) {
        int version = name.indexOf(ProcessorTime.HTTP2);
        String hop = ProcessorTime.HOP + (version < 0 ? "" : name.substring(version));
        List<Double> own = present(measured, name).micros();
        List<Double> base = present(measured, hop).micros();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < own.size(); round++) {
            ratios.add(own.get(round) / base.get(round));
        }
        return Spread.of(ratios);
    }

    private static ProcessorTime.Figures present(Map<String, ProcessorTime.Figures> measured, String name) {
        ProcessorTime.Figures figures = measured.get(name);
        if (figures == null) {
            throw new IllegalStateException("there are no figures of: " + name);
        }
        return figures;
    }

    void holding(GatewayOptions options, Holding.Result result) {
        String name =
                Figures.count(options.idle()) + " idle connections, " + Figures.count(options.slow()) + " slow clients";
        tables.add(new Table(
                "connections that are held",
                List.of("", "memory of the process", "heap", "threads", "files and sockets"),
                List.of(row("no connection", result.empty()), row(name, result.held()))));
        double mebibytes = mebibytes(result.held().resident());
        samples.add(new Sample("holding", name, 1, "memory of the process", mebibytes, "MiB"));
        targets.add(Target.atMost(
                MOST_HELD_MEBIBYTES, "MiB of the process with " + name, new Spread(mebibytes, mebibytes, mebibytes)));
        targets.add(Target.atMost(
                0, "held connections that were closed", new Spread(result.closed(), result.closed(), result.closed())));
    }

    void soak(List<Usage> usage) {
        List<List<String>> rows = new ArrayList<>();
        for (int round = 0; round < usage.size(); round++) {
            rows.add(row(round == 0 ? "after the warm-up" : "after round " + round, usage.get(round)));
            samples.add(new Sample(
                    "soak", "gateway", round, "heap", usage.get(round).heap(), "B"));
        }
        tables.add(new Table(
                "growth", List.of("", "memory of the process", "heap", "threads", "files and sockets"), rows));
        growth("heap", usage, Usage::heap);
        growth("threads", usage, Usage::threads);
        growth("files and sockets", usage, Usage::descriptors);
    }

    /** By the least of each half: pools shrink again after a round, and what leaks does not. */
    private void growth(String what, List<Usage> usage, ToLongFunction<Usage> figure) {
        int middle = usage.size() / 2;
        long before = least(usage.subList(0, middle), figure);
        double ratio = before == 0 ? 1 : (double) least(usage.subList(middle, usage.size()), figure) / before;
        targets.add(Target.atMost(MOST_GROWTH, what + ", second half / first half", new Spread(ratio, ratio, ratio)));
    }

    private static long least(List<Usage> usage, ToLongFunction<Usage> figure) {
        return usage.stream().mapToLong(figure).min().orElse(0);
    }

    private static List<String> row(String name, Usage usage) {
        return List.of(
                name,
                String.format(Locale.ROOT, "%.0f MiB", mebibytes(usage.resident())),
                String.format(Locale.ROOT, "%.1f MiB", mebibytes(usage.heap())),
                Figures.count((double) usage.threads()),
                Figures.count((double) usage.descriptors()));
    }

    private static double mebibytes(long bytes) {
        return (double) bytes / (1 << 20);
    }

    Report report() {
        return new Report("gateway", tables, targets, charts, samples, notes);
    }
}

package dev.semel.benchmarks;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.engine.EngineRow;
import dev.semel.benchmarks.engine.EngineSuite;
import dev.semel.benchmarks.engine.ExplanationCost;
import dev.semel.benchmarks.report.Chart;
import dev.semel.benchmarks.report.Figures;
import dev.semel.benchmarks.report.Report;
import dev.semel.benchmarks.report.Sample;
import dev.semel.benchmarks.report.Spread;
import dev.semel.benchmarks.report.Table;
import dev.semel.benchmarks.suite.BenchContext;
import dev.semel.benchmarks.suite.Suite;
import java.util.ArrayList;
import java.util.List;

/** The benchmarks of the engine itself as a suite. */
final class EngineBench implements Suite {

    @Override
    public String name() {
        return "engine";
    }

    @Override
    public String description() {
        return "what the engine itself costs, without any database, by JMH; --seconds for each benchmark, rounded up";
    }

    @Override
    public List<String> parts() {
        return List.of();
    }

    @Override
    public Kind kind() {
        return Kind.DATABASE;
    }

    private static Table explanations(BenchContext context, List<Sample> samples) {
        context.progress().line("engine: explained mismatches");
        List<List<String>> rows = new ArrayList<>();
        for (ExplanationCost.Row row : ExplanationCost.measure()) {
            String name = "body of " + row.members() + " members";
            rows.add(List.of(
                    name,
                    Figures.nanos(row.offMicros()),
                    Figures.nanos(row.explainedMicros()),
                    Figures.count(row.offBytes()),
                    Figures.count(row.explainedBytes())));
            samples.add(new Sample("engine", name, 1, "without explanations", row.offMicros(), "µs"));
            samples.add(new Sample("engine", name, 1, "explained", row.explainedMicros(), "µs"));
            samples.add(new Sample("engine", name, 1, "holder without explanations", row.offBytes(), "B"));
            samples.add(new Sample("engine", name, 1, "holder explained", row.explainedBytes(), "B"));
        }
        return new Table(
                "explained mismatches: processor time of a first request, bytes of the record's holder",
                List.of("", "off", "explained", "bytes, off", "bytes, explained"),
                rows);
    }

    @Override
    public Report run(BenchContext context) {
        int seconds = (int) Math.ceil(context.settings().seconds());
        List<List<String>> rows = new ArrayList<>();
        List<Chart.Bar> bars = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        for (EngineRow row : EngineSuite.run(seconds, context.progress()::line)) {
            double error = Double.isNaN(row.errorMicros()) ? 0 : row.errorMicros();
            String time = Figures.nanos(row.microsPerOp());
            rows.add(List.of(row.benchmark(), time, "± " + Figures.nanos(error), Figures.count(row.bytesPerOp())));
            Spread spread =
                    new Spread(row.microsPerOp(), Math.max(0, row.microsPerOp() - error), row.microsPerOp() + error);
            bars.add(new Chart.Bar(row.benchmark(), spread, true, time));
            samples.add(new Sample("engine", row.benchmark(), 1, "time", row.microsPerOp(), "µs"));
            samples.add(new Sample("engine", row.benchmark(), 1, "allocated", row.bytesPerOp(), "B"));
        }
        return new Report(
                "engine",
                List.of(
                        new Table("engine", List.of("", "time", "", "bytes allocated"), rows),
                        explanations(context, samples)),
                List.of(),
                List.of(new Chart("one operation", "µs", bars)),
                samples,
                List.of());
    }
}

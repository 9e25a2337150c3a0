package dev.semel.benchmarks;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.engine.EngineRow;
import dev.semel.benchmarks.engine.EngineSuite;
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
                List.of(new Table("engine", List.of("", "time", "", "bytes allocated"), rows)),
                List.of(),
                List.of(new Chart("one operation", "µs", bars)),
                samples,
                List.of());
    }
}

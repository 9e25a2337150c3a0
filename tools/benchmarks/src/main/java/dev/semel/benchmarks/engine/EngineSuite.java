package dev.semel.benchmarks.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the engine's benchmarks, each in a virtual machine of its own. */
public final class EngineSuite {

    private static final List<Class<?>> BENCHMARKS = List.of(
            ExecuteBenchmark.class,
            FingerprintBenchmark.class,
            KeyHeaderBenchmark.class,
            ReplayCheckBenchmark.class,
            ResponseBenchmark.class);

    /** The measured seconds are divided by this, so that there is an error to tell. */
    private static final int ITERATIONS = 5;

    private static final String BYTES_PER_OPERATION = "gc.alloc.rate.norm";

    private EngineSuite() {}

    /**
     * Runs all benchmarks.
     *
     * @param seconds how long each is measured, after as long a warm-up
     * @param progress gets the name of what runs next
     * @throws IllegalStateException when a benchmark fails, or another JMH runs on this machine
     */
    public static List<EngineRow> run(int seconds, Consumer<String> progress) {
        List<EngineRow> rows = new ArrayList<>();
        for (Class<?> benchmark : BENCHMARKS) {
            rows.addAll(run(benchmark, TimeValue.milliseconds(1000L * seconds / ITERATIONS), progress));
        }
        return List.copyOf(rows);
    }

    static List<EngineRow> run(Class<?> benchmark, TimeValue iteration, Consumer<String> progress) {
        progress.accept("engine: " + benchmark.getSimpleName());
        try {
            return new Runner(options(benchmark, iteration))
                    .run().stream()
                            .map(EngineSuite::row)
                            .sorted(Comparator.comparing(EngineRow::benchmark))
                            .toList();
        } catch (RunnerException e) {
            throw new IllegalStateException(
                    "JMH could not run " + benchmark.getSimpleName() + ": " + e.getMessage(), e);
        }
    }

    /** The arguments of this virtual machine, which is tuned to start fast, are not passed on to the measured ones. */
    private static Options options(Class<?> benchmark, TimeValue iteration) {
        return new OptionsBuilder()
                .include("\\." + benchmark.getSimpleName() + "\\.")
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.MICROSECONDS)
                .forks(1)
                .warmupIterations(ITERATIONS)
                .warmupTime(iteration)
                .measurementIterations(ITERATIONS)
                .measurementTime(iteration)
                .jvmArgs("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC")
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
    }

    private static EngineRow row(RunResult result) {
        Result<?> time = result.getPrimaryResult();
        Result<?> bytes = result.getSecondaryResults().get(BYTES_PER_OPERATION);
        return new EngineRow(
                nameOf(result.getParams()),
                time.getScore(),
                time.getScoreError(),
                bytes == null ? Double.NaN : bytes.getScore());
    }

    private static String nameOf(BenchmarkParams params) {
        String name = params.getBenchmark()
                .substring(EngineSuite.class.getPackageName().length() + 1)
                .replace("Benchmark.", ".");
        if (params.getParamsKeys().isEmpty()) {
            return name;
        }
        return params.getParamsKeys().stream()
                .map(params::getParam)
                .collect(Collectors.joining(", ", name + " (", ")"));
    }
}

package dev.semel.benchmarks.suite;

import dev.semel.benchmarks.report.Report;

/** Benchmarks that belong together and give one report. */
public interface Suite {

    /** What {@code --suite} calls it. */
    String name();

    /** What it measures, in one line. */
    String description();

    Report run(BenchContext context) throws Exception;
}

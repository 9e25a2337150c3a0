package dev.semel.benchmarks.suite;

import dev.semel.benchmarks.database.Kind;
import dev.semel.benchmarks.report.Report;
import java.util.List;

/** Benchmarks that belong together and give one report. */
public interface Suite {

    /** What {@code --suite} calls it. */
    String name();

    /** What it measures, in one line. */
    String description();

    /** What can be measured of it alone, as {@code --suite NAME.PART}. */
    List<String> parts();

    /** On what kind of store it runs by default. */
    Kind kind();

    /** Whether it runs on this kind of store: the place in its context is of one that it runs on. */
    default boolean runsOn(Kind other) {
        return other == kind();
    }

    Report run(BenchContext context) throws Exception;
}

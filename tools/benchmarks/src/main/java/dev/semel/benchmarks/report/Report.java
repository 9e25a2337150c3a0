package dev.semel.benchmarks.report;

import java.util.List;

/**
 * What a suite found.
 *
 * @param notes what a reader must know to judge the figures
 */
public record Report(
        String suite,
        List<Table> tables,
        List<Target> targets,
        List<Chart> charts,
        List<Sample> samples,
        List<String> notes) {

    public Report {
        tables = List.copyOf(tables);
        targets = List.copyOf(targets);
        charts = List.copyOf(charts);
        samples = List.copyOf(samples);
        notes = List.copyOf(notes);
    }
}

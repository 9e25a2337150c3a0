package dev.semel.benchmarks.report;

import java.util.List;

/**
 * Figures in rows.
 *
 * @param columns the head; the first one holds names and is set to the left, the others to the right
 */
public record Table(String title, List<String> columns, List<List<String>> rows) {

    public Table {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        title + ": a row has " + row.size() + " cells, the head has " + columns.size());
            }
        }
    }
}

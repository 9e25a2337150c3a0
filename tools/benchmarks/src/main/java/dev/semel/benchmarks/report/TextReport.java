package dev.semel.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** A report as text for a terminal. */
public final class TextReport {

    private static final String GAP = "  ";

    /** Notes are wrapped so that they can be read. */
    private static final int WIDTH = 100;

    private TextReport() {}

    public static String of(Report report) {
        StringBuilder text = new StringBuilder();
        for (Table table : report.tables()) {
            append(table, text);
        }
        if (!report.targets().isEmpty()) {
            append(targets(report.targets()), text);
        }
        for (String note : report.notes()) {
            wrap(note, text);
        }
        return text.toString();
    }

    private static Table targets(List<Target> targets) {
        List<List<String>> rows = new ArrayList<>();
        for (Target target : targets) {
            Spread measured = target.measured();
            rows.add(List.of(
                    target.what(),
                    target.bound().sign() + " " + Figures.ratio(target.wanted()),
                    measured == null ? "–" : Figures.ratio(measured.median()),
                    measured == null ? "–" : Figures.range(measured),
                    target.verdict()));
        }
        return new Table("targets", List.of("", "target", "measured", "of the rounds", ""), rows);
    }

    private static void append(Table table, StringBuilder text) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(table.columns());
        lines.addAll(table.rows());
        int[] widths = new int[table.columns().size()];
        for (List<String> line : lines) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], line.get(column).length());
            }
        }
        text.append(table.title()).append('\n');
        for (List<String> line : lines) {
            StringBuilder cells = new StringBuilder();
            for (int column = 0; column < widths.length; column++) {
                String cell = line.get(column);
                String space = " ".repeat(widths[column] - cell.length());
                cells.append(GAP).append(column == 0 ? cell + space : space + cell);
            }
            text.append(cells.toString().stripTrailing()).append('\n');
        }
        text.append('\n');
    }

    private static void wrap(String note, StringBuilder text) {
        int length = 0;
        for (String word : note.split(" ", -1)) {
            if (length > 0 && length + 1 + word.length() > WIDTH) {
                text.append('\n').append(GAP);
                length = GAP.length();
            } else if (length > 0) {
                text.append(' ');
                length++;
            }
            text.append(word);
            length += word.length();
        }
        text.append('\n');
    }
}

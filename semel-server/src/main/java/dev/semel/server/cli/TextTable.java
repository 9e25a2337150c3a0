package dev.semel.server.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Rows under headings, each column as wide as its widest cell. */
final class TextTable {

    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    TextTable(String... headings) {
        widths = new int[headings.length];
        String[] upper = new String[headings.length];
        for (int i = 0; i < headings.length; i++) {
            upper[i] = headings[i].toUpperCase(Locale.ROOT);
        }
        row(upper);
    }

    void row(String... cells) {
        rows.add(cells);
        for (int i = 0; i < widths.length; i++) {
            widths[i] = Math.max(widths[i], width(cells[i]));
        }
    }

    void print(PrintWriter out) {
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - width(row[i]) + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}

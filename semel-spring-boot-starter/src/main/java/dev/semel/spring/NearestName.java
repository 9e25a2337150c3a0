package dev.semel.spring;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The existing name that a misspelt one was probably meant to be. */
final class NearestName {

    private NearestName() {}

    /** The one that the fewest insertions, deletions and replacements of a character lead to. */
    static Optional<String> to(String name, Collection<String> existing) {
        return existing.stream()
                .min(Comparator.<String>comparingInt(other -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** Levenshtein's distance, one row of the table at a time. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            row[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            int diagonal = row[0];
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = diagonal + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                diagonal = row[column];
                row[column] = Math.min(replaced, 1 + Math.min(row[column], row[column - 1]));
            }
        }
        return row[to.length()];
    }
}

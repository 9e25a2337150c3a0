package dev.semel.server.gateway.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the name that a mistyped one was most likely meant to be. */
final class Similar {

    /** More differences than this are another word. */
    private static final int MOST_DIFFERENCES = 3;

    private Similar() {}

    static Optional<String> to(String typed, Collection<String> names) {
        return names.stream()
                .filter(name -> differences(typed, name) <= Math.min(MOST_DIFFERENCES, name.length() / 2))
                .min(Comparator.comparingInt(name -> differences(typed, name)));
    }

    /** How many letters have to be changed, left out or added. */
    private static int differences(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int same = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(same, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[other.length()];
    }
}

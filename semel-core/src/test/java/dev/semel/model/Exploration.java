package dev.semel.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a search through all states has found.
 *
 * @param violation null when every rule holds everywhere
 */
record Exploration(int states, long moves, @Nullable Violation violation) {

    /**
     * A rule that does not hold.
     *
     * @param trace the shortest way there: a line for each move
     */
    record Violation(String rule, List<String> trace) {

        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(rule);
            for (int i = 0; i < trace.size(); i++) {
                text.append(String.format("%n  %2d. %s", i + 1, trace.get(i)));
            }
            return text.toString();
        }
    }

    @Override
    public String toString() {
        return String.format(
                "%,d states, %,d moves: %s", states, moves, violation == null ? "every rule holds" : violation);
    }
}

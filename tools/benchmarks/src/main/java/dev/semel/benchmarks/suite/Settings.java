package dev.semel.benchmarks.suite;

import java.time.Duration;
import java.util.List;

/**
 * How long and how much to measure.
 *
 * @param slice how long a competitor runs before it is another's turn
 * @param rounds how many turns each gets
 * @param callers how many calls are under way at once; empty leaves it to the suite
 * @param records how many records a store holds beforehand, where a suite asks for it
 */
public record Settings(Duration slice, int rounds, List<Integer> callers, List<Integer> records) {

    public Settings {
        callers = List.copyOf(callers);
        records = List.copyOf(records);
    }

    /** The numbers of callers that were asked for, or these. */
    public List<Integer> callersOr(List<Integer> otherwise) {
        return callers.isEmpty() ? otherwise : callers;
    }

    public double seconds() {
        return slice.toNanos() / 1e9;
    }
}

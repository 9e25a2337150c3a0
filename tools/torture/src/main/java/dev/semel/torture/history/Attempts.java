package dev.semel.torture.history;

import dev.semel.State;
import dev.semel.torture.history.AuditEvent.Changed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/**
 * The attempts of one record from its audit, in generations: a record that is claimed after its retention is a
 * new one, and what was done under the old one does not count against it.
 */
final class Attempts {

    private final Map<Long, Integer> generationOfFence = new HashMap<>();
    private final List<Changed> grants = new ArrayList<>();
    private int generations;

    Attempts(List<Changed> changes) {
        long fence = Long.MIN_VALUE;
        for (Changed change : changes) {
            if (change.to().state() == State.IN_PROGRESS && isGrant(change, fence)) {
                if (change.from() == null || change.from() == State.EXPIRED) {
                    generations++;
                }
                grants.add(change);
                generationOfFence.putIfAbsent(change.to().fence(), generations);
                fence = change.to().fence();
            }
        }
    }

    /** Steps and re-offers leave a record in progress under its fence. */
    private static boolean isGrant(Changed change, long fence) {
        return change.from() != State.IN_PROGRESS || change.to().fence() != fence;
    }

    List<Changed> grants() {
        return grants;
    }

    int generations() {
        return generations;
    }

    /** The generation that this fence was granted in; empty when it never was. */
    OptionalInt generation(long fence) {
        Integer generation = generationOfFence.get(fence);
        return generation == null ? OptionalInt.empty() : OptionalInt.of(generation);
    }
}

package dev.semel.model;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Something that is in one state at a time, and may move to others. */
interface Model<S> {

    S start();

    /** Equal for states that need not be told apart; states with equal keys have moves to states with equal keys. */
    long key(S state);

    /** Every move that is possible, always in the same order. */
    List<Move<S>> moves(S state);

    /** What must remain reachable from every state, by moves that are not faults. */
    List<Goal<S>> goals();

    /**
     * A step from one state to another.
     *
     * @param fault whether something goes wrong by it
     * @param broken the rule that it breaks, or null
     */
    record Move<S>(
            String label, boolean fault, S to, @Nullable String broken) {}

    /** A kind of state. */
    record Goal<S>(String name, Predicate<S> reached) {}
}

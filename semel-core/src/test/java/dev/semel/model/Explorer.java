package dev.semel.model;

import dev.semel.model.Exploration.Violation;
import dev.semel.model.Model.Goal;
import dev.semel.model.Model.Move;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Queue;

/**
 * Breadth-first search through every state of a model.
 *
 * <ol>
 *   <li>States are expanded in the order in which they were found, so the first broken rule is found on a shortest way.
 *   <li>Of a state that is done only its key is kept, and by which move of which state it was found: a trace is made by
 *       going that way again.
 *   <li>When all states are known, goals are followed backwards over the moves that are not faults. A state that is not
 *       met is one from which the goal cannot be reached.
 * </ol>
 */
final class Explorer<S> {

    private final Model<S> model;
    private final LongIndex known = new LongIndex();
    private final Ints parents = new Ints();
    private final Ints choices = new Ints();
    private final Ints targets = new Ints();
    private final Ints targetsEnd = new Ints();
    private final List<BitSet> reached = new ArrayList<>();
    private long moves;

    private Explorer(Model<S> model) {
        this.model = model;
        model.goals().forEach(goal -> reached.add(new BitSet()));
    }

    static <S> Exploration explore(Model<S> model) {
        return new Explorer<>(model).run();
    }

    private Exploration run() {
        Queue<S> frontier = new ArrayDeque<>();
        frontier.add(model.start());
        known.indexOf(model.key(model.start()));
        parents.add(-1);
        choices.add(-1);
        for (int index = 0; !frontier.isEmpty(); index++) {
            S state = frontier.remove();
            note(index, state);
            List<Move<S>> possible = model.moves(state);
            for (int choice = 0; choice < possible.size(); choice++) {
                Move<S> move = possible.get(choice);
                moves++;
                if (move.broken() != null) {
                    List<Integer> way = wayTo(index);
                    way.add(choice);
                    return found(new Violation(move.broken(), trace(way)));
                }
                int target = known.indexOf(model.key(move.to()));
                if (target == parents.size()) {
                    parents.add(index);
                    choices.add(choice);
                    frontier.add(move.to());
                }
                if (!move.fault() && target != index) {
                    targets.add(target);
                }
            }
            targetsEnd.add(targets.size());
        }
        return follow();
    }

    private Exploration found(Violation violation) {
        return new Exploration(parents.size(), moves, violation);
    }

    private void note(int index, S state) {
        List<Goal<S>> goals = model.goals();
        for (int i = 0; i < goals.size(); i++) {
            reached.get(i).set(index, goals.get(i).reached().test(state));
        }
    }

    private Exploration follow() {
        for (int i = 0; i < reached.size(); i++) {
            int stuck = follow(reached.get(i));
            if (stuck >= 0) {
                String rule = "I11: " + model.goals().get(i).name() + " cannot be reached any more";
                return found(new Violation(rule, trace(wayTo(stuck))));
            }
        }
        return new Exploration(parents.size(), moves, null);
    }

    /** The first state from which a goal is out of reach, or -1. */
    private int follow(BitSet good) {
        boolean more = true;
        while (more) {
            more = false;
            for (int index = parents.size() - 1; index >= 0; index--) {
                if (!good.get(index) && leadsTo(good, index)) {
                    good.set(index);
                    more = true;
                }
            }
        }
        int stuck = good.nextClearBit(0);
        return stuck < parents.size() ? stuck : -1;
    }

    private boolean leadsTo(BitSet good, int index) {
        for (int i = index == 0 ? 0 : targetsEnd.get(index - 1); i < targetsEnd.get(index); i++) {
            if (good.get(targets.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** The choices that lead from the start to this state. */
    private List<Integer> wayTo(int index) {
        List<Integer> way = new ArrayList<>();
        for (int at = index; at > 0; at = parents.get(at)) {
            way.add(choices.get(at));
        }
        Collections.reverse(way);
        return way;
    }

    private List<String> trace(List<Integer> way) {
        List<String> lines = new ArrayList<>();
        S state = model.start();
        for (int choice : way) {
            Move<S> move = model.moves(state).get(choice);
            state = move.to();
            lines.add(String.format("%-72s %s", move.label(), state));
        }
        return lines;
    }

    /** A list of numbers that are not objects. */
    private static final class Ints {

        private int[] items = new int[1 << 10];
        private int size;

        void add(int item) {
            if (size == items.length) {
                items = Arrays.copyOf(items, size * 2);
            }
            items[size++] = item;
        }

        int get(int index) {
            return items[index];
        }

        int size() {
            return size;
        }
    }
}

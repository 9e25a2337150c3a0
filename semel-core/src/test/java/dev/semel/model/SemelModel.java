package dev.semel.model;

import dev.semel.State;
import java.util.List;

/** One key, those who work on it, and everything that may happen to them in any order. */
final class SemelModel implements Model<World> {

    static final int WORKERS = 3;
    static final int CRASHES = 3;

    private static final List<Goal<World>> GOALS = List.of(
            new Goal<>(
                    "a state that is final or visibly unknown",
                    world -> world.entry().state() != State.IN_PROGRESS),
            new Goal<>("a settled state", world -> world.entry().isSettled()));

    private final Setup setup;
    private final ModelStore store;

    SemelModel(Setup setup) {
        this.setup = setup;
        this.store = new ModelStore(setup);
    }

    @Override
    public World start() {
        return World.of(WORKERS, setup.reconcilers());
    }

    @Override
    public long key(World world) {
        return world.key();
    }

    @Override
    public List<Move<World>> moves(World world) {
        Turn turn = new Turn(setup, store, world);
        for (int number = 0; number < world.workers().size(); number++) {
            WorkerMoves.add(turn, number);
        }
        for (int number = 0; number < world.inquiries().size(); number++) {
            ReconcilerMoves.add(turn, number);
        }
        Surroundings.add(turn);
        return turn.moves();
    }

    @Override
    public List<Goal<World>> goals() {
        return GOALS;
    }
}

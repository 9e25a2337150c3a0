package dev.semel.model;

import dev.semel.model.Model.Move;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything that may happen next in a world. */
final class Turn {

    final Setup setup;
    final ModelStore store;
    final World world;
    private final List<Move<World>> moves = new ArrayList<>();

    Turn(Setup setup, ModelStore store, World world) {
        this.setup = setup;
        this.store = store;
        this.world = world;
    }

    List<Move<World>> moves() {
        return moves;
    }

    Entry entry() {
        return world.entry();
    }

    void move(String label, World to) {
        add(label, false, to);
    }

    void fault(String label, World to) {
        add(label, true, to);
    }

    private void add(String label, boolean fault, World to) {
        moves.add(new Move<>(label, fault, to, brokenIn(to)));
    }

    /** A move that writes; {@code others} is the world besides the record. */
    void write(String label, Write write, World others) {
        addWrite(label, false, write, others.with(write.entry()));
    }

    void faultyWrite(String label, Write write, World others) {
        addWrite(label, true, write, others.with(write.entry()));
    }

    /** A move that writes the record as it is in {@code to}. */
    void writeTo(String label, Write write, World to) {
        addWrite(label, false, write, to);
    }

    private void addWrite(String label, boolean fault, Write write, World to) {
        String broken = brokenBy(write);
        moves.add(new Move<>(label, fault, to, broken == null ? brokenIn(to) : broken));
    }

    private @Nullable String brokenIn(World to) {
        for (Rule rule : setup.rules()) {
            if (rule.isBrokenIn(to, setup)) {
                return rule.toString();
            }
        }
        return null;
    }

    private @Nullable String brokenBy(Write write) {
        if (write.before() != null && write.after() != null) {
            for (Rule rule : setup.rules()) {
                if (rule.isBrokenBy(write, write.before(), write.after())) {
                    return rule.toString();
                }
            }
        }
        return null;
    }
}

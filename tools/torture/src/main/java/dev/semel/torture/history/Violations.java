package dev.semel.torture.history;

import java.util.ArrayList;
import java.util.List;

/** Collects what the rules find about one key after the other. */
final class Violations {

    private final List<FaultEvent> faults;
    private final List<Violation> found = new ArrayList<>();

    Violations(List<FaultEvent> faults) {
        this.faults = faults;
    }

    void add(String invariant, KeyHistory key, String what) {
        found.add(new Violation(invariant, key.identity(), what, key.lines(faults)));
    }

    List<Violation> all() {
        return found;
    }
}

package dev.semel.testkit.history;

import java.util.ArrayList;
import java.util.List;

/** Collects what the rules find about one key after the other. */
final class Findings {

    private final List<FaultEvent> faults;
    private final List<Finding> found = new ArrayList<>();

    Findings(List<FaultEvent> faults) {
        this.faults = faults;
    }

    void add(String invariant, KeyHistory key, String what) {
        found.add(new Finding(invariant, key.identity(), what, key.told(faults)));
    }

    List<Finding> all() {
        return found;
    }
}

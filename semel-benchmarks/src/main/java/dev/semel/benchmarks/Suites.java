package dev.semel.benchmarks;

import dev.semel.benchmarks.growth.GrowthSuite;
import dev.semel.benchmarks.store.StoreSuite;
import dev.semel.benchmarks.suite.Suite;
import java.util.List;
import java.util.Optional;

/** Every suite there is. */
final class Suites {

    private static final List<Suite> ALL = List.of(new StoreSuite(), new GrowthSuite());

    private Suites() {}

    static List<Suite> all() {
        return ALL;
    }

    static Optional<Suite> named(String name) {
        return ALL.stream().filter(suite -> suite.name().equals(name)).findFirst();
    }
}

package dev.semel.benchmarks;

import dev.semel.benchmarks.growth.GrowthSuite;
import dev.semel.benchmarks.store.StoreSuite;
import dev.semel.benchmarks.suite.Suite;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Every suite there is. */
final class Suites {

    private static final List<Suite> ALL = List.of(new StoreSuite(), new GrowthSuite());

    private Suites() {}

    /** A suite, and the only part of it that is asked for; null for all of it. */
    record Choice(Suite suite, @Nullable String part) {}

    static List<Suite> all() {
        return ALL;
    }

    /** @param text the name of a suite, or that of a suite, a dot, and that of a part */
    static Optional<Choice> chosen(String text) {
        int dot = text.indexOf('.');
        String name = dot < 0 ? text : text.substring(0, dot);
        String part = dot < 0 ? null : text.substring(dot + 1);
        return ALL.stream()
                .filter(suite -> suite.name().equals(name))
                .filter(suite -> part == null || suite.parts().contains(part))
                .map(suite -> new Choice(suite, part))
                .findFirst();
    }
}

package dev.semel.benchmarks;

import dev.semel.benchmarks.gateway.GatewaySuite;
import dev.semel.benchmarks.growth.GrowthSuite;
import dev.semel.benchmarks.http.HttpSuite;
import dev.semel.benchmarks.inbox.InboxSuite;
import dev.semel.benchmarks.redis.RedisSuite;
import dev.semel.benchmarks.search.SearchSuite;
import dev.semel.benchmarks.store.StoreSuite;
import dev.semel.benchmarks.suite.Suite;
import dev.semel.benchmarks.tiered.TieredSuite;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every suite there is. */
final class Suites {

    private static final List<Suite> ALL = List.of(
            new StoreSuite(),
            new GrowthSuite(),
            new SearchSuite(),
            new RedisSuite(),
            new TieredSuite(),
            new InboxSuite(),
            new EngineBench(),
            new HttpSuite(),
            new GatewaySuite());

    private Suites() {}

    static List<Suite> all() {
        return ALL;
    }

    /**
     * The suites that are asked for, each with the only parts of it that are; without any for all of it.
     *
     * @param names of suites, or of a suite, a dot, and one of its parts
     * @throws IllegalArgumentException when there is no such suite or part
     */
    static Map<Suite, Set<String>> chosen(List<String> names) {
        Map<Suite, Set<String>> chosen = new LinkedHashMap<>();
        Set<Suite> whole = new HashSet<>();
        for (String text : names) {
            int dot = text.indexOf('.');
            Suite suite = named(dot < 0 ? text : text.substring(0, dot), text);
            Set<String> parts = chosen.computeIfAbsent(suite, each -> new LinkedHashSet<>());
            if (dot < 0) {
                whole.add(suite);
            } else if (suite.parts().contains(text.substring(dot + 1))) {
                parts.add(text.substring(dot + 1));
            } else {
                throw none(text);
            }
        }
        whole.forEach(suite -> chosen.put(suite, Set.of()));
        return chosen;
    }

    private static Suite named(String name, String text) {
        return ALL.stream()
                .filter(suite -> suite.name().equals(name))
                .findFirst()
                .orElseThrow(() -> none(text));
    }

    private static IllegalArgumentException none(String text) {
        return new IllegalArgumentException("there is no suite or part " + text + "; --help lists them");
    }
}

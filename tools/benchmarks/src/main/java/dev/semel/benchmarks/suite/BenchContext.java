package dev.semel.benchmarks.suite;

import dev.semel.benchmarks.database.Databases;
import dev.semel.benchmarks.database.Place;
import dev.semel.benchmarks.database.RedisPlace;
import java.util.Set;

/**
 * What a suite works with.
 *
 * @param parts the only parts that are asked for; empty for all
 */
public record BenchContext(Settings settings, Place place, Progress progress, Set<String> parts) {

    public BenchContext {
        parts = Set.copyOf(parts);
    }

    /** The place, for suites about databases. */
    public Databases databases() {
        return (Databases) place;
    }

    /** The place, for suites about Redis. */
    public RedisPlace redis() {
        return (RedisPlace) place;
    }

    /** Whether this part is asked for. */
    public boolean wants(String name) {
        return parts.isEmpty() || parts.contains(name);
    }
}

package dev.semel.benchmarks.suite;

import dev.semel.benchmarks.database.Databases;
import java.util.Set;

/**
 * What a suite works with.
 *
 * @param parts the only parts that are asked for; empty for all
 */
public record BenchContext(Settings settings, Databases databases, Progress progress, Set<String> parts) {

    public BenchContext {
        parts = Set.copyOf(parts);
    }

    /** Whether this part is asked for. */
    public boolean wants(String name) {
        return parts.isEmpty() || parts.contains(name);
    }
}

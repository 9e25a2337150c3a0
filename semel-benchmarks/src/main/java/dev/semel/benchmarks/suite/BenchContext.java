package dev.semel.benchmarks.suite;

import dev.semel.benchmarks.database.Databases;
import org.jspecify.annotations.Nullable;

/**
 * What a suite works with.
 *
 * @param part the only part that is asked for; null for all
 */
public record BenchContext(
        Settings settings,
        Databases databases,
        Progress progress,
        @Nullable String part) {

    /** Whether this part is asked for. */
    public boolean wants(String name) {
        return part == null || part.equals(name);
    }
}

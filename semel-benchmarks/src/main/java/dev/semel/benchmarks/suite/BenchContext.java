package dev.semel.benchmarks.suite;

import dev.semel.benchmarks.database.Databases;

/** What a suite works with. */
public record BenchContext(Settings settings, Databases databases, Progress progress) {}

package dev.semel.benchmarks.report;

/** One figure of one round: a line of the CSV. */
public record Sample(String benchmark, String contender, int round, String metric, double value, String unit) {}

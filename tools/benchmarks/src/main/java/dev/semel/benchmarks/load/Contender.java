package dev.semel.benchmarks.load;

/** Something that is measured next to others: what it is called, and how it is called. */
public record Contender(String name, Load load) {}

/** Replays and pairs of a database with Redis and memory in front of it. */
@NullMarked
package dev.semel.benchmarks.tiered;

import org.jspecify.annotations.NullMarked;

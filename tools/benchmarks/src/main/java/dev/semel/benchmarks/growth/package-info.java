/** What becomes of speed when a store holds millions of records, and while it is pruned. */
@NullMarked
package dev.semel.benchmarks.growth;

import org.jspecify.annotations.NullMarked;

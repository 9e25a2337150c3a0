/** Calls that are made as fast as possible or at a rate, in slices that take turns. */
@NullMarked
package dev.semel.benchmarks.load;

import org.jspecify.annotations.NullMarked;

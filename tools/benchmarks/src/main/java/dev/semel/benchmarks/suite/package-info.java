/** What a suite of benchmarks is, and what it is given. */
@NullMarked
package dev.semel.benchmarks.suite;

import org.jspecify.annotations.NullMarked;

/** Databases that benchmarks run on: of their own, or on a server that a URI names. */
@NullMarked
package dev.semel.benchmarks.database;

import org.jspecify.annotations.NullMarked;

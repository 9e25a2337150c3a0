/** Kills the example between its steps and within them. */
@NullMarked
package dev.semel.examples.trip;

import org.jspecify.annotations.NullMarked;

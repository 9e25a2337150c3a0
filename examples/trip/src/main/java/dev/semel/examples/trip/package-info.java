/** An operation of several recorded steps, which continues after a kill. */
@NullMarked
package dev.semel.examples.trip;

import org.jspecify.annotations.NullMarked;

/** An operation of several steps that goes on where it was killed. */
@NullMarked
package dev.semel.examples.trip;

import org.jspecify.annotations.NullMarked;

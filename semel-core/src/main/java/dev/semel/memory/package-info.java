/** A store in memory, for tests and for services of a single process that may forget. */
@NullMarked
package dev.semel.memory;

import org.jspecify.annotations.NullMarked;

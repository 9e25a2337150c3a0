/** Kills the example at each stage of its way, and asks its tables for the same thing twice. */
@NullMarked
package dev.semel.examples.orderflow;

import org.jspecify.annotations.NullMarked;

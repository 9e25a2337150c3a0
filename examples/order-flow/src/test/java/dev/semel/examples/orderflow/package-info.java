/** Kills the example at each stage of an order, and repeats requests to its idempotent tables. */
@NullMarked
package dev.semel.examples.orderflow;

import org.jspecify.annotations.NullMarked;

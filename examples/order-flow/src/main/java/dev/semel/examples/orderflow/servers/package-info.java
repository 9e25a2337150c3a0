/** The mail provider of the example, simulated. */
@NullMarked
package dev.semel.examples.orderflow.servers;

import org.jspecify.annotations.NullMarked;

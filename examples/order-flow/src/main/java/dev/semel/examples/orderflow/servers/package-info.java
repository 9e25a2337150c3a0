/** The servers that the example starts when it is given none. */
@NullMarked
package dev.semel.examples.orderflow.servers;

import org.jspecify.annotations.NullMarked;

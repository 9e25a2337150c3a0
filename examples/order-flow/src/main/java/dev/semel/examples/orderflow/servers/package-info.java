/** What the example runs on, where nobody gives it something better. */
@NullMarked
package dev.semel.examples.orderflow.servers;

import org.jspecify.annotations.NullMarked;

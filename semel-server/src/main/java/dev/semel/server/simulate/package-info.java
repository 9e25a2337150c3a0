/** A simulation of clients and of the records they leave, to size a store that cannot be tried out at full scale. */
@NullMarked
package dev.semel.server.simulate;

import org.jspecify.annotations.NullMarked;

/**
 * Named moments at which a process can be made to end or to stop.
 *
 * <p>They lie in a store that wraps the real one, and in the code of the application under test: Semel itself has
 * none.
 */
@NullMarked
package dev.semel.torture.crash;

import org.jspecify.annotations.NullMarked;

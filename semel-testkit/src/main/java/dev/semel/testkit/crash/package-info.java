/**
 * Named moments at which a process can be made to end or to stand still.
 *
 * <p>They lie in a store that wraps the real one, and in the code of the application under test: Semel itself knows nothing
 * of them.
 */
@NullMarked
package dev.semel.testkit.crash;

import org.jspecify.annotations.NullMarked;

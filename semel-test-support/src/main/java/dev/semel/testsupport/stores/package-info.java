/**
 * Stores in front of another store, which count calls or fail on demand.
 *
 * <p>The tests of {@code semel-core} compile these classes from a copy: this module depends on {@code semel-core}.
 */
@NullMarked
package dev.semel.testsupport.stores;

import org.jspecify.annotations.NullMarked;

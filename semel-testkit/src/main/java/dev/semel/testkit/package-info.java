/**
 * What a test of Semel, or of a store for it, is built from.
 *
 * <p>A store proves itself by subclassing {@link dev.semel.testkit.StoreContract}.
 */
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;

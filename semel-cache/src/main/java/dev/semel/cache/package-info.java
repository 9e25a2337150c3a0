/** A near-cache: completed records in memory, which are replayed without a round trip to the store. */
@NullMarked
package dev.semel.cache;

import org.jspecify.annotations.NullMarked;

/** Completed records in memory, replayed without asking the store. */
@NullMarked
package dev.semel.cache;

import org.jspecify.annotations.NullMarked;

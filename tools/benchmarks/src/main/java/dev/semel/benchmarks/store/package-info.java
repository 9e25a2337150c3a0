/** How fast stores claim, complete and replay, next to what people write by hand and to other libraries. */
@NullMarked
package dev.semel.benchmarks.store;

import org.jspecify.annotations.NullMarked;

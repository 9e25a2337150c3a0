/** How fast Redis claims, completes and replays, next to the bare scripts and to other libraries. */
@NullMarked
package dev.semel.benchmarks.redis;

import org.jspecify.annotations.NullMarked;

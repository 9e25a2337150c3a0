/** How fast messages are handled once, in batches and one at a time. */
@NullMarked
package dev.semel.benchmarks.inbox;

import org.jspecify.annotations.NullMarked;

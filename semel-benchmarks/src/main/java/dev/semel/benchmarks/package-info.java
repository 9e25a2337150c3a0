/** How fast Semel is, next to what others do, in one run that anybody can repeat. */
@NullMarked
package dev.semel.benchmarks;

import org.jspecify.annotations.NullMarked;

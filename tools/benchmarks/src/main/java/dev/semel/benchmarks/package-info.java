/** The speed of Semel next to that of other libraries, in one run that can be repeated. */
@NullMarked
package dev.semel.benchmarks;

import org.jspecify.annotations.NullMarked;

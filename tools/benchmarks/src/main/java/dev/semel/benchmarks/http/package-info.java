/** What protection costs a service: the same endpoint with several filters and without one, over real connections. */
@NullMarked
package dev.semel.benchmarks.http;

import org.jspecify.annotations.NullMarked;

/** The gateway next to a bare hop: processor time per request, connections that are held, and growth over time. */
@NullMarked
package dev.semel.benchmarks.gateway;

import org.jspecify.annotations.NullMarked;

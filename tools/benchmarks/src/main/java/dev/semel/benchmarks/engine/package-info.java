/** What Semel itself costs, without a database and without a network: JMH benchmarks, and the suite that runs them. */
@NullMarked
package dev.semel.benchmarks.engine;

import org.jspecify.annotations.NullMarked;

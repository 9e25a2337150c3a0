/** What searches of operators take among a million records, and what their index costs requests. */
@NullMarked
package dev.semel.benchmarks.search;

import org.jspecify.annotations.NullMarked;

/** What a suite found: tables, targets, every figure as CSV, and charts as SVG. */
@NullMarked
package dev.semel.benchmarks.report;

import org.jspecify.annotations.NullMarked;

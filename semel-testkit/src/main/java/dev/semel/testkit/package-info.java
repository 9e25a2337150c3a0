/**
 * What a test of a store supplies and uses: the harness, manual time, and a data source that fails on demand. The contract that
 * every store passes is in {@code dev.semel.testkit.contract}.
 */
@NullMarked
package dev.semel.testkit;

import org.jspecify.annotations.NullMarked;

/**
 * Real Redis servers on loopback, alone, with replicas, watched by Sentinel or as a cluster, for tests that break them.
 *
 * <p>The binary comes from {@code org.signal:embedded-redis}, which whoever uses this package adds to its dependencies.
 */
@NullMarked
package dev.semel.testkit.redis;

import org.jspecify.annotations.NullMarked;

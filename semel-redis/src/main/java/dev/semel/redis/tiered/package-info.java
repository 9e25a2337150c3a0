/**
 * A store with two tiers: a primary store, usually a database, and Redis in front of it for replays.
 *
 * <p>Start with {@link dev.semel.redis.tiered.TieredStore#over}.
 */
@NullMarked
package dev.semel.redis.tiered;

import org.jspecify.annotations.NullMarked;

/**
 * What a store must do.
 *
 * <p>{@link dev.semel.engine.Store} has the {@linkplain dev.semel.spi.RequestVerbs verbs of requests} and the
 * {@linkplain dev.semel.spi.UpkeepVerbs verbs of upkeep}; a capability that not every store has is a sub-interface. {@link dev.semel.spi.Transitions} holds the decisions, for stores that can call Java while they hold a
 * record's lock; the others say the same in their own language, and the contract in semel-testkit compares.
 */
@NullMarked
package dev.semel.spi;

import org.jspecify.annotations.NullMarked;

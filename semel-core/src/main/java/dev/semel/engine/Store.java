package dev.semel.engine;

import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs;
import dev.semel.spi.UpkeepVerbs;

/**
 * Where records are kept.
 *
 * <ol>
 *   <li>Every decision that depends on time uses the store's own clock: callers pass durations, never instants.
 *   <li>Every write after the claim carries the lease's fence, and is refused when the fence is not the record's.
 *   <li>Fences only rise, also when a record was deleted and its key is used again.
 *   <li>All methods may be called from any thread, and from any number of processes on one store.
 * </ol>
 *
 * <p>{@code StoreContract} in semel-testkit is this interface as tests.
 */
public interface Store extends RequestVerbs, UpkeepVerbs, AutoCloseable {

    /**
     * Returns the verbs of requests for callers that wait. They do the same as the asynchronous ones; a store that can, works
     * on the caller's own thread.
     */
    BlockingVerbs blocking();

    /** Frees what the store holds; records stay. */
    @Override
    void close();
}

package dev.semel.testkit;

import dev.semel.engine.Store;
import java.time.Duration;

/** The store under test, with what the contract needs below it: the store's clock and its round trips. */
public interface StoreHarness extends AutoCloseable {

    /** The store, which was empty when the harness was created. */
    Store store();

    /** A second handle on the same records, as another process would have; a store in memory returns itself. */
    Store another();

    /**
     * Moves the <em>store's</em> clock forward; a negative duration sets it back by no more than it was moved before. The
     * application's clock stays where it is.
     */
    void elapse(Duration duration);

    /** How many round trips the store has made so far, counted below it where there is something below it. */
    long roundTrips();

    /** Closes the store and everything that was started for it. */
    @Override
    void close();
}

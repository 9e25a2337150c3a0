package dev.semel.testkit;

import dev.semel.engine.Store;
import java.time.Duration;

/** What the contract needs of a store under test: the store, and hands on what lies below it. */
public interface StoreHarness extends AutoCloseable {

    /** The store, which was empty when the harness was made. */
    Store store();

    /** A second handle on the same records, as another process would have; a store in memory returns itself. */
    Store another();

    /** Moves the <em>store's</em> clock forward. The application's clock stays where it is. */
    void elapse(Duration duration);

    /** How many round trips the store has made so far, counted below it where there is something below it. */
    long roundTrips();

    /** Ends the store and whatever was started for it. */
    @Override
    void close();
}

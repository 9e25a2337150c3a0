package dev.semel.testkit;

import dev.semel.engine.TransactionalStore;
import javax.sql.DataSource;

/** A harness that also gives access to the same records from within an application's transactions. */
public interface TransactionalHarness extends StoreHarness {

    /** The store that is behind {@link #store()}, as one that takes part in transactions. */
    TransactionalStore transactional();

    /**
     * The application's connections to the database that holds the records, at least four at once. The store uses none
     * of them except those that it is given.
     */
    DataSource connections();
}

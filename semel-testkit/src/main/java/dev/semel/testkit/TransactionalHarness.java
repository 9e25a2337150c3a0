package dev.semel.testkit;

import dev.semel.engine.TransactionalStore;
import javax.sql.DataSource;

/** What the contract of transactions needs besides: the same records, from within an application's transactions. */
public interface TransactionalHarness extends StoreHarness {

    /** The store that is behind {@link #store()}, as one that takes part in transactions. */
    TransactionalStore transactional();

    /**
     * The application's connections to the database that holds the records, at least four at once. The store is not to use
     * them, other than those that it is given.
     */
    DataSource connections();
}

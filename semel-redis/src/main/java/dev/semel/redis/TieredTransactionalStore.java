package dev.semel.redis;

import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.time.Duration;

/** A tiered store whose truth can take part in transactions: those are between the caller and the truth alone. */
final class TieredTransactionalStore extends TieredStore implements TransactionalStore {

    private final TransactionalStore transactional;

    TieredTransactionalStore(Store truth, TransactionalStore transactional, TruthClock clock, Copies copies) {
        super(truth, clock, copies);
        this.transactional = transactional;
    }

    @Override
    public StoreTransaction within(Connection connection, Duration maxWait) {
        return transactional.within(connection, maxWait);
    }
}

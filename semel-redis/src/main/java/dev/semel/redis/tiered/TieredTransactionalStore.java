package dev.semel.redis.tiered;

import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.time.Duration;

/** A tiered store whose primary store takes part in the caller's transactions; these do not use Redis. */
final class TieredTransactionalStore extends TieredStore implements TransactionalStore {

    private final TransactionalStore transactional;

    TieredTransactionalStore(Store primary, TransactionalStore transactional, PrimaryClock clock, Copies copies) {
        super(primary, clock, copies);
        this.transactional = transactional;
    }

    @Override
    public StoreTransaction within(Connection connection, Duration maxWait) {
        return transactional.within(connection, maxWait);
    }
}

package dev.semel.engine;

import dev.semel.spi.StoreTransaction;
import java.sql.Connection;
import java.time.Duration;

/** A store whose claims and settlements can be part of a JDBC transaction of the caller. */
public interface TransactionalStore extends Store {

    /**
     * The verbs of this store as part of the transaction that this connection is in. They use this connection alone, on the
     * calling thread, and neither commit nor roll back the transaction.
     *
     * @param maxWait how long a claim waits for another transaction that claims the same key
     * @throws IllegalArgumentException when the connection is in autocommit mode
     */
    StoreTransaction within(Connection connection, Duration maxWait);
}

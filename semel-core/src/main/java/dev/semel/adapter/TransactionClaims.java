package dev.semel.adapter;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.StoreException;
import dev.semel.TransactionalSemel;
import dev.semel.adapter.RunningAttempt.Settlement;
import java.util.Map;

/** The claims of an adapter within a JDBC transaction of the caller's, which it runs and settles itself. */
public interface TransactionClaims extends TransactionalSemel {

    /**
     * Claims the right to execute. An attempt that is settled as not executed undoes the claim and the work; as unknown, the
     * work alone.
     *
     * @throws StoreException when the claim could not be made: nothing may be executed
     */
    Claim begin(Intent intent);

    /** Whether work was granted here that claims its key when it is done, so that only a rollback of the transaction undoes it. */
    boolean isLate();

    /**
     * Does what {@link #recordUnknownAfterRollback} does, and says what became of each record.
     *
     * @return {@link Settlement.Settled} when the record says unknown; {@link Settlement.Unconfirmed} when it does not yet;
     *     {@link Settlement.LeaseLost} when the key was claimed again first, so that it may have been executed twice
     */
    Map<Identity, Settlement> settleUnknownAfterRollback();
}

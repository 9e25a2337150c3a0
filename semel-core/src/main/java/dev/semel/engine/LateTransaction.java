package dev.semel.engine;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A transaction that claims nothing before the work, where the store can do without, and writes the record when it is done.
 *
 * <p>Nothing is undone here, since nothing was written: {@link OwnTransaction}, which alone uses this, rolls everything back.
 */
final class LateTransaction implements StoreTransaction {

    /** Before the record is written there is no fence; the store's are positive. */
    private static final long NO_FENCE = 0;

    private final StoreTransaction transaction;
    private @Nullable ClaimRequest request;
    private @Nullable Lease recorded;

    LateTransaction(StoreTransaction transaction) {
        this.transaction = transaction;
    }

    /** The record was not written, for another reason than a fault: the transaction has to be rolled back. */
    static final class NotRecordedException extends StoreException {

        private static final long serialVersionUID = 1;

        NotRecordedException(String message) {
            super(message);
        }
    }

    @Override
    public ClaimAnswer claim(ClaimRequest asked) {
        if (!transaction.canRecord(asked)) {
            return transaction.claim(asked);
        }
        request = asked;
        return new ClaimAnswer.Granted(Changes.granted(asked, NO_FENCE, Instant.EPOCH));
    }

    /** Whether the claim is still to be made. */
    boolean isLate() {
        return request != null;
    }

    /** The lease under which the work is on record. */
    Lease recorded(Lease before) {
        return recorded == null ? before : recorded;
    }

    @Override
    public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
        if (!isLate()) {
            return transaction.settle(lease, outcome, retention);
        }
        if (!(outcome instanceof Outcome.Completed completed)) {
            throw new NotRecordedException("the outcome of " + lease.identity() + " is recorded after the rollback");
        }
        recorded = transaction
                .record(Objects.requireNonNull(request), completed.response(), retention)
                .orElseThrow(() -> new NotRecordedException(lease.identity()
                        + " has a record, or another request is writing it: its response is replayed"));
        return new SettleAnswer.Settled(State.IN_PROGRESS);
    }

    @Override
    public void undoWork() {
        if (!isLate()) {
            transaction.undoWork();
        }
    }

    @Override
    public void undoClaim() {
        if (!isLate()) {
            transaction.undoClaim();
        }
    }
}

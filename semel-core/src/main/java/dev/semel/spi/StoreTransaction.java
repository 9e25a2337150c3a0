package dev.semel.spi;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.time.Duration;
import java.util.Optional;

/**
 * One claim within the caller's transaction: what it writes becomes durable with that transaction, or never was.
 *
 * <p>Methods fail with a {@link dev.semel.StoreException}; the transaction should then be rolled back.
 */
public interface StoreTransaction {

    /**
     * Asks for the right to execute, as {@link RequestVerbs#claim} does; once it is granted, no more. {@link ClaimAnswer.Busy} also means that
     * another transaction has claimed the key and did not end in time. Unless it was granted, the transaction is as it was
     * before, but for an expired lease that was noticed.
     */
    ClaimAnswer claim(ClaimRequest request);

    /** Ends the attempt that was granted here. */
    SettleAnswer settle(Lease lease, Outcome outcome, Duration retention);

    /** Undoes whatever was written through the connection since the claim was granted; the claim stays. */
    void undoWork();

    /** Undoes the claim and whatever was written through the connection since. */
    void undoClaim();

    /** Whether {@link #record} can take the place of this claim and its settlement. A key that likely has a record is claimed. */
    default boolean canRecord(ClaimRequest request) {
        return false;
    }

    /**
     * Writes the record of work that was done without a claim: completed, in one step, and only if the key has no record.
     *
     * @return the lease that the record carries; empty where the key has a record, or may have one: then the transaction has to be
     *     rolled back
     */
    default Optional<Lease> record(ClaimRequest request, Response response, Duration retention) {
        throw new UnsupportedOperationException("this store claims before the work");
    }
}

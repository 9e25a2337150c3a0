package dev.semel.spi;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.reconcile.StoredRecord;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What a store does for requests. Each verb is one atomic round trip, durable before its stage completes.
 *
 * <p>A stage that fails does so with a {@link dev.semel.StoreException}; then the write may or may not have happened.
 */
public interface RequestVerbs {

    /**
     * Asks for the right to execute. In this order: another fingerprint is a mismatch, unless the record is past its
     * retention; an absent or expired record is granted; so is one that failed retryably, and one whose lease has expired
     * if both the record and the request are re-executable; an expired lease otherwise turns the record unknown.
     */
    CompletionStage<ClaimAnswer> claim(ClaimRequest request);

    /**
     * Ends the attempt that holds this lease. Completion is accepted from {@code in_progress} and, as the late answer of
     * the same fence, from {@code unknown}; the other two outcomes from {@code in_progress} alone.
     *
     * @param retention how long to keep a settled record; unknown records ignore it, since they never expire
     */
    CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention);

    /** Lets the lease run for this long from now, while the record is in progress under its fence. */
    CompletionStage<RenewAnswer> renew(Lease lease, Duration duration);

    /**
     * Appends a finished step to a record in progress under this fence, and ends the doubt about it, so that the next attempt
     * need not do the step again. Recording the same step again does no harm: the answer to the first time may have been lost.
     */
    CompletionStage<StepAnswer> step(Lease lease, String name, Response result);

    /** Reads a record from the place where it is written, never from a replica. */
    CompletionStage<Optional<StoredRecord>> find(Identity identity);
}

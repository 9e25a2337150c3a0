package dev.semel.spi;

import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Where records live. Five verbs; each is one atomic round trip, durable before its stage completes.
 *
 * <ol>
 *   <li>Every decision that depends on time uses the store's own clock: callers pass durations, never instants.
 *   <li>Every write after the claim carries the lease's fence, and says when it lost.
 *   <li>Fences only rise, also when a record was deleted and its key is used again.
 *   <li>A stage that fails does so with a {@link dev.semel.StoreException}; then the write may or may not have happened.
 *   <li>All methods may be called from any thread, and from any number of processes on one store.
 * </ol>
 *
 * <p>{@code StoreContract} in semel-testkit is this interface as tests.
 */
public interface Store extends AutoCloseable {

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

    /** Reads a record from the place where it is written, never from a replica. */
    CompletionStage<Optional<StoredRecord>> find(Identity identity);

    /**
     * Removes or marks at most {@code limit} settled records past their retention, oldest first, without waiting for
     * records that others are working on.
     *
     * @return how many it removed or marked
     */
    CompletionStage<Integer> prune(int limit, Expiry expiry);

    /** Frees what the store holds; records stay. */
    @Override
    void close();
}

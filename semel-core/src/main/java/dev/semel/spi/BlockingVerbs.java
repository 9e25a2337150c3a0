package dev.semel.spi;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.StoreException;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import java.time.Duration;
import java.util.Optional;

/**
 * The verbs of {@link RequestVerbs} for callers that wait for the answer. Each returns when the store has answered, and what it
 * wrote is durable by then.
 *
 * <p>A fault is a {@link StoreException}; then the write may or may not have happened. Waiting goes on when the calling thread
 * is interrupted, and the interrupt stays set.
 */
public interface BlockingVerbs {

    /** Asks for the right to execute, as {@link RequestVerbs#claim} does. */
    ClaimAnswer claim(ClaimRequest request);

    /** Ends the attempt that holds this lease, as {@link RequestVerbs#settle} does. */
    SettleAnswer settle(Lease lease, Outcome outcome, Duration retention);

    /** Appends a finished step, as {@link RequestVerbs#step} does. */
    StepAnswer step(Lease lease, String name, Response result);

    /** Reads a record, as {@link RequestVerbs#find} does. */
    Optional<StoredRecord> find(Identity identity);

    /** Returns verbs that wait for the stages of these: for stores that are asynchronous by nature. */
    static BlockingVerbs awaiting(RequestVerbs verbs) {
        return new AwaitingVerbs(verbs);
    }
}

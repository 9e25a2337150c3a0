package dev.semel.spi;

import dev.semel.Evidence;
import dev.semel.Lease;
import dev.semel.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A store whose unknown records can be found and settled on evidence, by any number of processes at once.
 *
 * <p>Verbs that take many records take those that nobody else is working on, without waiting for the others.
 */
public interface ReconcilableStore extends Store {

    /**
     * Notices at most {@code limit} leases that have expired, oldest first. Those records become unknown; where the
     * operation is re-executable they stay in progress for the next claim to take over, and are marked with the reason
     * {@link Transitions#LEASE_EXPIRED} so that each is noticed once.
     *
     * @return the records as they are now
     */
    CompletionStage<List<StoredRecord>> sweep(int limit);

    /**
     * Takes at most {@code limit} unknown records of an operation whose next try is due, oldest first. Each counts one try
     * more, and is not due again before {@code hold} has passed: long enough to ask, and a limit to what a crash delays.
     */
    CompletionStage<List<StoredRecord>> due(String operation, int limit, Duration hold);

    /**
     * Settles an unknown record as completed or as not executed, together with the evidence. Refused unless the record is
     * unknown under this fence, so that a person, a webhook and a late answer can all try at once and one wins.
     */
    CompletionStage<SettleAnswer> reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention);

    /** Says how the search goes on while the record is unknown under this fence, and on what grounds. */
    CompletionStage<SettleAnswer> pursue(Lease lease, Pursuit pursuit, Evidence evidence);

    /** Lists at most {@code limit} unknown records in the order of their identities. */
    CompletionStage<List<StoredRecord>> unknown(UnknownFilter filter, int limit);
}

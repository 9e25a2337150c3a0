package dev.semel.spi;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Retention.Expiry;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.time.Duration;
import java.util.List;

/**
 * What a store does for reconcilers, pruning and operators, in any number of processes at once. Each verb blocks until the
 * store has answered, and what it wrote is durable by then.
 *
 * <p>A fault is a {@link dev.semel.StoreException}; then the write may or may not have happened.
 *
 * <p>Verbs that take many records skip those that another process is working on, and do not wait for them.
 */
public interface UpkeepVerbs {

    /**
     * Finds at most {@code limit} leases that have expired, oldest first. Those records become unknown; where the operation
     * is re-executable they stay in progress for the next claim to take over, and are marked with the reason
     * {@link StoredRecord#LEASE_EXPIRED} so that each is found once.
     *
     * @return the records as they are now
     */
    List<StoredRecord> sweep(int limit);

    /**
     * Takes at most {@code limit} unknown records of an operation whose next try is due, oldest first. Each counts one try
     * more, and is not due again before {@code hold} has passed: long enough to ask, and a limit to what a crash delays.
     */
    List<StoredRecord> due(String operation, int limit, Duration hold);

    /**
     * Settles an unknown record as completed or as not executed, together with the evidence. Refused unless the record is
     * unknown under this fence, so that a person, a webhook and a late answer can all try at once and one wins.
     */
    SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention);

    /** Sets when to ask about an unknown record again, and why. Refused unless the record is unknown under this fence. */
    SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence);

    /** Lists at most {@code limit} unknown records in the order of their identities. */
    List<StoredRecord> listUnknown(UnknownFilter filter, int limit);

    /**
     * Reads the audit entries of a record, oldest first; empty when there never was one.
     *
     * <p>An entry is written together with the change that it describes: there is none without the other, and the entries of a
     * record, read in order, end in the state that it has. Pruning deletes the entries with their record.
     */
    List<AuditEntry> history(Identity identity);

    /**
     * Reads the identities of at most {@code limit} records, in any state, also past their retention, and in any order. Fewer
     * than {@code limit} are all that there are.
     */
    List<Identity> sample(int limit);

    /**
     * Searches records in any state by their last claim. Looks at {@link RecordSearch#MAX_EXAMINED} records at most, and reads
     * no responses.
     */
    RecordSearch.Page search(RecordSearch search);

    /**
     * Writes an entry into a record's audit that changes nothing else: {@code VIEWED} while it is
     * completed or unknown, {@code REPLAY_REFUSED} while it is completed, {@code PROPOSED} while it is unknown. Refused when the fence is not the record's.
     */
    SettleAnswer annotate(Lease lease, AuditEntry.Change change, Evidence evidence);

    /**
     * Lets a settled record expire now, and marks it as pruning would: without response and steps, for a claim to start
     * afresh under a higher fence. Refused while it is in progress, unknown or expired already, and when the fence is not the
     * record's.
     */
    SettleAnswer forget(Lease lease, Evidence evidence);

    /**
     * Removes or marks at most {@code limit} settled records past their retention, oldest first, without waiting for
     * records that other callers are working on.
     *
     * @return how many it removed or marked
     */
    int prune(int limit, Expiry expiry);

    /** When the reconciler asks about an unknown outcome again. */
    sealed interface Reschedule {

        /** Ask again after this delay. Refused when another process has taken the record since this try. */
        record RetryAfter(int tries, Duration delay) implements Reschedule {}

        /** Ask no more: a person has to decide. Refused when another process has taken the record since this try. */
        record DeadLetter(int tries) implements Reschedule {}

        /** Start over: due at once, with no tries counted. */
        record Reset() implements Reschedule {}
    }
}

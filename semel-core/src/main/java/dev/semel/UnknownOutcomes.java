package dev.semel;

import dev.semel.spi.AuditEntry;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.UnknownFilter;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The records that wait for evidence, for those who look for it: reconcilers, webhooks and people.
 *
 * <p>All methods may be called by any number of processes at once. They fail with a {@link StoreException}. Identities are
 * those of records, with keys as they are stored; {@link Semel#stored} leads there from what a client sent.
 */
public interface UnknownOutcomes {

    /** Lists at most {@code limit} of them in the order of their identities. */
    List<StoredRecord> list(UnknownFilter filter, int limit);

    /**
     * Notices at most {@code limit} attempts that have vanished: their leases have expired. What is not re-executable
     * becomes unknown; the rest is left to the next claim.
     *
     * @return the records that were noticed now
     */
    List<StoredRecord> sweep(int limit);

    /**
     * Takes at most {@code limit} records of an operation that it is time to ask about. Nobody else is given the same ones
     * before {@code hold} has passed.
     */
    List<StoredRecord> take(String operation, int limit, Duration hold);

    /**
     * Says that nobody can tell yet, and when to ask again.
     *
     * @return false when the record was settled meanwhile, or somebody else has asked since
     */
    boolean askAgain(StoredRecord taken, Duration delay, Evidence why);

    /**
     * Leaves the record to a person.
     *
     * @return false when the record was settled meanwhile, or somebody else has asked since
     */
    boolean deadLetter(StoredRecord taken, Evidence why);

    /** Tells listeners that the search for evidence failed this time; the record stays as it is. */
    void failed(StoredRecord taken, String why);

    /** Has the search for evidence begin anew, also for a record that was left to a person. */
    Reconciliation requeue(Identity identity, Evidence why);

    /**
     * Settles the unknown outcome of one attempt on evidence: refused when the record has been claimed again since, so that
     * what was learned about one attempt never settles another.
     *
     * @param retention how long the settled record is kept
     */
    Reconciliation settle(Lease lease, Duration retention, Verdict verdict, Evidence evidence);

    /**
     * Settles the unknown outcome of the last attempt on evidence. That it happened is true of every attempt; whoever says
     * that it did not must mean the last one, or name the lease.
     */
    Reconciliation settle(Identity identity, Duration retention, Verdict verdict, Evidence evidence);

    /** The result of a step that attempts of this record have recorded; empty when they have not. */
    Optional<Response> recordedStep(StoredRecord record, String name);

    /** What happened to a record, oldest first. */
    List<AuditEntry> history(Identity identity);

    /**
     * Says that a resolver of this process is asked about unknown outcomes of these operations. A {@code Reconciler} does so
     * when it is built. Only messages depend on it.
     */
    void attend(Set<String> operations);

    /** Whether a resolver of this process is asked about unknown outcomes of this operation. */
    boolean isAttended(String operation);

    /** The key that attempts of this record sent to another service for this purpose. */
    String downstreamKey(Identity identity, String purpose);
}

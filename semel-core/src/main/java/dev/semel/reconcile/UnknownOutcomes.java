package dev.semel.reconcile;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Response;
import dev.semel.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records that wait for evidence, as reconcilers, webhooks and operators see them.
 *
 * <p>All methods may be called by any number of processes at once. They fail with a {@link StoreException}. Identities are
 * those of records, with keys as they are stored; {@code SemelEngine.stored} translates what a client sent.
 */
public interface UnknownOutcomes {

    /** Lists at most {@code limit} of them in the order of their identities. */
    List<StoredRecord> listUnknown(UnknownFilter filter, int limit);

    /**
     * Finds at most {@code limit} attempts whose leases have expired. Records that are not re-executable become unknown; the
     * others are left to the next claim.
     *
     * @return the records that were found now
     */
    List<StoredRecord> sweep(int limit);

    /**
     * Takes at most {@code limit} records of an operation whose next try is due. No other process is given the same ones
     * before {@code hold} has passed.
     */
    List<StoredRecord> due(String operation, int limit, Duration hold);

    /**
     * Schedules the next try of a record that was taken, since its outcome cannot be told yet.
     *
     * @return false when the record was settled meanwhile, or another process has taken it since
     */
    boolean reschedule(StoredRecord taken, Duration delay, Evidence why);

    /**
     * Leaves the record to a person.
     *
     * @return false when the record was settled meanwhile, or another process has taken it since
     */
    boolean deadLetter(StoredRecord taken, Evidence why);

    /** Tells listeners that the search for evidence failed this time; the record stays as it is. */
    void failed(StoredRecord taken, String why);

    /** Starts the search for evidence over, also for a record that was left to a person. */
    Reconciliation requeue(Identity identity, Evidence why);

    /** Starts the search for evidence about one attempt over: refused when the record has been claimed again since. */
    Reconciliation requeue(Lease lease, Evidence why);

    /**
     * Settles the unknown outcome of one attempt on evidence: refused when the record has been claimed again since, so that
     * what was learned about one attempt never settles another.
     *
     * @param retention how long the settled record is kept
     * @param source of the evidence, such as {@code provider-webhook} or {@code person:alice}; the verdict's detail completes it
     * @throws IllegalArgumentException when source and detail are not fit to be {@link Evidence}
     */
    Reconciliation settle(Lease lease, Duration retention, Verdict.Final verdict, String source);

    /**
     * Settles the unknown outcome of the last attempt on evidence. That it happened is true of every attempt; that it did not
     * must be true of the last one: to mean another, name its lease.
     */
    Reconciliation settle(Identity identity, Duration retention, Verdict.Final verdict, String source);

    /** Returns the result of a step that attempts of this record have recorded; empty when they have not. */
    Optional<Response> recordedStep(StoredRecord record, String name);

    /** Reads a record in any state, with its response as the store has it: sealed, so that no encryption key is needed. */
    Optional<StoredRecord> findSealed(Identity identity);

    /** Reads what happened to a record, oldest first. */
    List<AuditEntry> history(Identity identity);

    /**
     * Registers operations whose unknown outcomes a resolver of this process is asked about. A {@code Reconciler} does so when
     * it is built. Only messages depend on it.
     */
    void attend(Set<String> operations);

    /** Whether a resolver of this process is asked about unknown outcomes of this operation. */
    boolean isAttended(String operation);

    /** Derives the key that attempts of this record sent to another service for this purpose. */
    String downstreamKey(Identity identity, String purpose);

    /** What became of a verdict on an unknown outcome. */
    sealed interface Reconciliation {

        /** The verdict and its evidence are on record. */
        record Accepted() implements Reconciliation {}

        /**
         * Nothing was changed: the record is not, or no longer, unknown; or it is, but about a later attempt than the one that
         * the evidence is about.
         */
        record NotUnknown(StoredRecord current) implements Reconciliation {}

        /** No record has this identity. */
        record NoSuchRecord() implements Reconciliation {}
    }

    /**
     * Which unknown records to list; null means all.
     *
     * @param deadLettered whether they wait for a person
     * @param after the last record of the page before
     */
    record UnknownFilter(
            @Nullable String operation,
            @Nullable Boolean deadLettered,
            @Nullable Identity after) {

        public static final UnknownFilter ALL = new UnknownFilter(null, null, null);

        /** The same filter, for what comes after this record. */
        public UnknownFilter after(Identity last) {
            return new UnknownFilter(operation, deadLettered, last);
        }

        /** Whether a record is one of these. */
        public boolean accepts(StoredRecord record) {
            return record.reconciling() != null
                    && (operation == null || operation.equals(record.operation()))
                    && (deadLettered == null || deadLettered == record.isDeadLettered())
                    && (after == null || after.compareTo(record.identity()) < 0);
        }
    }
}

package dev.semel.reconcile;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.StoreException;
import java.util.Optional;

/**
 * The records of a store in any state, as operators see them. Identities have keys as they are stored.
 *
 * <p>All methods may be called by any number of processes at once. They fail with a {@link StoreException}.
 */
public interface Records {

    /** Searches records; the page says what the search cost. */
    RecordSearch.Page search(RecordSearch search);

    /** Reads a record with its response opened: decrypted, as it was recorded. */
    Optional<StoredRecord> find(Identity identity);

    /**
     * Writes into a record's audit that a person reads its response, or looks at an outcome that is unknown. Refused when the
     * record is neither completed nor unknown, or has been claimed again since.
     */
    Change viewed(Lease lease, Evidence who);

    /**
     * Writes into an unknown record's audit that a person wants to settle it and a second one has to agree. Refused when the
     * record is no longer unknown, or about a later attempt.
     */
    Change proposed(Lease lease, Evidence proposal);

    /**
     * Lets a settled record expire now, as if its retention had passed: its response is deleted, and the next request with
     * its key executes. Refused while the record is in progress or unknown, and when it has been claimed again since.
     * Pruning deletes it later, with the entry of the audit that says who did it and why.
     */
    Change forget(Lease lease, Evidence why);

    /** What became of a change. */
    sealed interface Change {

        /** The change is on record. */
        record Done() implements Change {}

        /** Nothing was changed: the record does not allow it, or has been claimed again. */
        record Refused(StoredRecord current) implements Change {}

        /** No record has this identity. */
        record NoSuchRecord() implements Change {}
    }
}

package dev.semel.spi;

import dev.semel.Lease;
import dev.semel.reconcile.StoredRecord;
import java.time.Duration;

/** A store's answer to a claim; the same atomic step that decides it also reads what it says. */
public sealed interface ClaimAnswer {

    /** The right was granted under a new fence: here is the record, in progress, with the steps of earlier attempts. */
    record Granted(StoredRecord record) implements ClaimAnswer {

        public Lease lease() {
            return record.lease();
        }

        /** 1 for a first attempt. */
        public int attempts() {
            return record.attempts();
        }
    }

    /** The record is completed: here it is, with its response. */
    record Recorded(StoredRecord record) implements ClaimAnswer {}

    /** Another attempt holds the lease for this much longer. */
    record Busy(Duration leaseRemaining) implements ClaimAnswer {}

    /** The record has another fingerprint. Nothing was changed, whatever its state. */
    record Mismatch(StoredRecord record) implements ClaimAnswer {}

    /**
     * The outcome of the last attempt is unknown.
     *
     * @param noticed whether this very claim made it so, because the attempt before it had vanished; of many claims at once
     *     exactly one says so
     */
    record Unknown(StoredRecord record, boolean noticed) implements ClaimAnswer {}
}

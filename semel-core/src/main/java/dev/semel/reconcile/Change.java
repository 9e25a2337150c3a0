package dev.semel.reconcile;

import java.util.Locale;

/** What an {@link AuditEntry} says was done to a record. */
public enum Change {
    /** A claim was granted on an absent or expired record, or after an attempt that had no effect. */
    GRANTED,
    /** A claim was granted because the lease before it had expired and the operation is re-executable. */
    TAKEN_OVER,
    /** The attempt recorded a step. */
    STEP,
    /** The attempt ended; from {@code unknown}, this is its late answer. */
    SETTLED,
    /** The lease had expired, and it is not known how far the attempt got. */
    GIVEN_UP,
    /** The lease had expired, and the next claim may take over. */
    REOFFERED,
    /** Evidence settled an unknown outcome. */
    RECONCILED,
    /** The outcome could not be told yet; the resolver is asked again later. */
    RESCHEDULED,
    /** Asked too often without an answer: a person has to decide. */
    DEAD_LETTERED,
    /** A person had the search begin anew. */
    REQUEUED,
    /** Retention had passed. */
    EXPIRED;

    /** The name in databases and messages. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The change with this label.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static Change ofLabel(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}

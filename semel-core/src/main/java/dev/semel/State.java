package dev.semel;

import java.util.Locale;

/** Where a record stands. {@code docs/explanation/state-machine.md} has the table of every transition that exists. */
public enum State {
    /** An attempt holds the lease, or held it when it last renewed it. */
    IN_PROGRESS,
    /** The operation happened, well or badly; its response is recorded and replayed. Never changes within retention. */
    COMPLETED,
    /** The last attempt provably had no effect; the next request with the same fingerprint executes. */
    FAILED_RETRYABLE,
    /** It is not known whether the effect happened; nothing executes until evidence settles it. */
    UNKNOWN,
    /** Retention has passed; a claim starts afresh, with a higher fence. */
    EXPIRED;

    /** The name in databases, metrics and messages. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * The state with this label.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static State ofLabel(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT));
    }
}

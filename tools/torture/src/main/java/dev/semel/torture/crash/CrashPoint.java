package dev.semel.torture.crash;

import java.util.Locale;

/** A moment of a request or a reconciliation at which a process can be made to end or to stop. */
public enum CrashPoint {
    /** The store has not been asked yet. */
    BEFORE_CLAIM,
    /** The store has granted the claim, and the process has not read the answer. */
    AFTER_CLAIM,
    /** The attempt has seen that it still owns its lease, and is about to call the provider. */
    BEFORE_DISPATCH,
    /** The provider has answered, and the outcome is not recorded. */
    AFTER_DISPATCH,
    /** The outcome is about to be written. */
    BEFORE_COMPLETE,
    /** The outcome is durable, and the process has not got the confirmation. */
    AFTER_COMPLETE,
    /** The process has the confirmation, and the client has no answer. */
    BEFORE_REPLY,
    /** The reconciler has the evidence, and is about to write it. */
    BEFORE_EVIDENCE,
    /** The evidence is durable, and the reconciler has not got the confirmation. */
    AFTER_EVIDENCE;

    /** The name on a command line and in a log. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The point with this label.
     *
     * @throws IllegalArgumentException when there is none
     */
    public static CrashPoint ofLabel(String label) {
        return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}

package dev.semel.testkit.crash;

import java.util.Locale;

/** A moment in the life of a request, or of the search for evidence, at which it matters whether the process goes on. */
public enum CrashPoint {
    /** The store has not been asked yet. */
    BEFORE_CLAIM,
    /** The store has granted, and the process has not looked at the answer. */
    AFTER_CLAIM,
    /** The attempt has seen that it still owns its lease, and is about to call the provider. */
    BEFORE_DISPATCH,
    /** The provider has answered, and nobody has heard of it. */
    AFTER_DISPATCH,
    /** The outcome is about to be written. */
    BEFORE_COMPLETE,
    /** The outcome is durable, and the process does not know. */
    AFTER_COMPLETE,
    /** The process knows, and the client does not. */
    BEFORE_REPLY,
    /** The reconciler knows what happened, and is about to write it. */
    BEFORE_EVIDENCE,
    /** The evidence is durable, and the reconciler does not know. */
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

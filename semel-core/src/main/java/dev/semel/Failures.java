package dev.semel;

import java.util.Optional;

/** What a failure of an operation's code, or in HTTP any response of it, means for its record. */
public enum Failures {
    /** The failure is the answer: it is recorded, and every retry gets the same one. */
    REPLAY,
    /** The operation declares that its failures have no effect: the key is released for the next request. */
    RETRY,
    /** A failure proves nothing: the record becomes unknown and waits for evidence. */
    RECONCILE;

    /**
     * An operation's own reading of its exceptions, asked before the operation's default applies.
     *
     * <p>{@link NotExecutedException} and {@link OutcomeUnknownException} are obeyed before this rule is asked.
     */
    @FunctionalInterface
    public interface Rule {

        /** The rule of an operation that leaves every exception to its default. */
        Rule NONE = failure -> Optional.empty();

        /** Returns what this failure means, or empty to apply the operation's default. */
        Optional<Failures> judge(Exception failure);
    }
}

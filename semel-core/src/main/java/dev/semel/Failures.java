package dev.semel;

/** What a failure of an operation's code means when the code itself does not say. */
public enum Failures {
    /** The failure is the answer: it is recorded, and every retry gets the same one. */
    REPLAY,
    /** The operation declares that its failures have no effect: the key is released for the next request. */
    RETRY,
    /** A failure proves nothing: the record becomes unknown and waits for evidence. */
    RECONCILE
}

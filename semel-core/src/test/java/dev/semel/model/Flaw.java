package dev.semel.model;

/** A mistake that an implementation could make, or an assumption that could be wrong. */
enum Flaw {
    /** "Not found" counts at once. */
    NO_SETTLE_WINDOW,
    /** The settle window is judged when the verdict is written, not when the record was taken to ask about. */
    WINDOW_JUDGED_AFTER_ASKING,
    /** A request may be on its way for longer than the settle window. */
    REQUEST_OUTLASTS_WINDOW,
    /** An attempt may be paused for longer than its lease and the settle window, and then send its request. */
    PAUSE_OUTLASTS_WINDOW,
    /** A claim takes over an expired lease though the operation is not re-executable. */
    TAKEOVER_ON_EXPIRY,
    /** An answer is recorded for whatever attempt holds the record. */
    UNFENCED_COMPLETION,
    /** An attempt gives the key back whatever attempt holds the record. */
    UNFENCED_RELEASE,
    /** A verdict settles whatever attempt holds the record, not the one that was asked about. */
    UNFENCED_VERDICT,
    /** A webhook that an attempt was refused settles whatever attempt holds the record. */
    UNFENCED_WEBHOOK,
    /** An attempt whose answer cannot be written down gives the key back. */
    RELEASE_AFTER_FAILED_WRITE,
    /** The sweeper gives the keys of vanished attempts back. */
    SWEEPER_RELEASES,
    /** Pruning forgets unknown outcomes after a while. */
    UNKNOWN_IS_FORGOTTEN,
    /** Operators do not look at dead letters. */
    DEAD_LETTERS_ARE_LEFT
}

package dev.semel.torture.provider;

/** How the provider treats the first request for a charge; it treats repetitions well, so that every key ends. */
public enum Treatment {
    /** Charges and says so at once. */
    PROMPT,
    /** Charges at once and says so later. */
    SLOW_ANSWER,
    /** Charges and says so later. */
    SLOW_CHARGE,
    /** Says no. */
    DECLINE,
    /** Is too busy to do anything, and says so. */
    REFUSE,
    /** Charges and never says so. */
    SILENTLY_CHARGED,
    /** Does nothing and never says so. */
    SILENTLY_LOST,
    /** Charges when the caller has given up long ago, and never says so. */
    LATE;

    /** How it treats the same charge when it comes again. */
    Treatment again() {
        return this == REFUSE ? SLOW_ANSWER : PROMPT;
    }
}

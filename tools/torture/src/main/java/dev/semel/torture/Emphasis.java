package dev.semel.torture;

import dev.semel.torture.bugs.Bug;
import org.jspecify.annotations.Nullable;

/** What a run has more of than usual, so that a bug that needs a rare coincidence shows soon. */
enum Emphasis {
    USUAL,
    /** The provider refuses, the release of the key is written, and the process does not hear of it. */
    LOST_RELEASES,
    /** The outcome cannot be written at the first try. */
    FAILED_SETTLEMENTS;

    static Emphasis on(@Nullable Bug bug) {
        if (bug == Bug.UNFENCED_SETTLEMENT) {
            return LOST_RELEASES;
        }
        return bug == Bug.RELEASE_AFTER_FAILED_WRITE ? FAILED_SETTLEMENTS : USUAL;
    }

    /** How the provider treats the requests of such a run. */
    Plan.Mix mix() {
        return this == LOST_RELEASES ? Plan.Mix.REFUSING : Plan.Mix.USUAL;
    }
}

package dev.semel.torture;

import dev.semel.torture.bugs.Bug;
import org.jspecify.annotations.Nullable;

/** What a run has more of than usual, so that a bug that needs a rare coincidence shows soon. */
enum Emphasis {
    USUAL,
    /** The provider refuses, the release of the key is written, and the process does not hear of it. */
    LOST_RELEASES;

    static Emphasis on(@Nullable Bug bug) {
        return bug == Bug.UNFENCED_SETTLEMENT ? LOST_RELEASES : USUAL;
    }

    /** How the provider treats the requests of such a run. */
    Plan.Mix mix() {
        return this == LOST_RELEASES ? Plan.Mix.REFUSING : Plan.Mix.USUAL;
    }
}

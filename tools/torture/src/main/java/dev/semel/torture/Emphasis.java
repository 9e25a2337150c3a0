package dev.semel.torture;

import dev.semel.Retention.Expiry;
import dev.semel.torture.app.Keeping;
import dev.semel.torture.bugs.Bug;
import org.jspecify.annotations.Nullable;

/** What a run has more of than usual, so that a bug that needs a rare coincidence shows soon. */
enum Emphasis {
    USUAL,
    /** The provider refuses, the release of the key is written, and the process does not get that answer. */
    LOST_RELEASES,
    /** The outcome cannot be written at the first try. */
    FAILED_SETTLEMENTS,
    /** Keys that carry their time are retried after their retention, on a store that keeps nothing of deleted records. */
    LATE_BY_TIME,
    /** Keys of both kinds are retried after their retention, on a store that keeps tombstones. */
    LATE_BY_TOMBSTONE;

    static Emphasis on(@Nullable Bug bug) {
        if (bug == Bug.UNFENCED_SETTLEMENT) {
            return LOST_RELEASES;
        }
        if (bug == Bug.LATE_RETRY_EXECUTES) {
            return LATE_BY_TOMBSTONE;
        }
        return bug == Bug.RELEASE_AFTER_FAILED_WRITE ? FAILED_SETTLEMENTS : USUAL;
    }

    /** How the provider treats the requests of such a run. */
    Plan.Mix mix() {
        return this == LOST_RELEASES ? Plan.Mix.REFUSING : Plan.Mix.USUAL;
    }

    /** Whether settlements fail more often than usual. */
    boolean isOnSettlements() {
        return this == LOST_RELEASES || this == FAILED_SETTLEMENTS;
    }

    /** What the keys are for whose retention is short: either the next use, or a retry that comes too late. */
    Keeping shortKeeping() {
        return this == LATE_BY_TIME || this == LATE_BY_TOMBSTONE ? Keeping.LATE : Keeping.BRIEF;
    }

    /** Deleted records take their audit with them: where it is needed to tell the uses of a key apart, they are marked. */
    Expiry expiry() {
        return shortKeeping() == Keeping.LATE ? Expiry.DELETE : Expiry.MARK;
    }

    boolean keepsTombstones() {
        return this == LATE_BY_TOMBSTONE;
    }
}

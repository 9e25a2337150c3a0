package dev.semel.redis;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.SettleAnswer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Learns from what the truth has confirmed: how late it is there, and which records to copy.
 *
 * <p>A confirmed settlement does not say when it was written. Its copy says the earliest that it can have been, so that it ends
 * no later than the record.
 */
final class Confirmed {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    private final TruthClock clock;
    private final Copies copies;
    private final Grants grants = new Grants();

    Confirmed(TruthClock clock, Copies copies) {
        this.clock = clock;
        this.copies = copies;
    }

    /**
     * A settlement that the truth was asked for at this moment.
     *
     * @param evidence null where the holder of the lease settles
     */
    record Settling(
            Lease lease,
            Outcome outcome,
            Duration retention,
            @Nullable Evidence evidence,
            long askedNanos) {}

    void claim(ClaimAnswer answer, long askedNanos) {
        unharmed(() -> {
            if (answer instanceof ClaimAnswer.Granted granted) {
                heard(granted.record(), askedNanos);
                grants.remember(granted.record());
            } else if (answer instanceof ClaimAnswer.Recorded recorded) {
                heard(recorded.record(), askedNanos);
                copies.keep(recorded.record());
            } else if (answer instanceof ClaimAnswer.Mismatch mismatch) {
                heard(mismatch.record(), askedNanos);
            } else if (answer instanceof ClaimAnswer.Unknown unknown) {
                heard(unknown.record(), askedNanos);
            }
        });
    }

    /** A record whose outcome somebody is about to find out. */
    void taken(StoredRecord unknown) {
        grants.remember(unknown);
    }

    void settlement(Settling settling, SettleAnswer answer) {
        unharmed(() -> {
            StoredRecord known = settling.outcome() instanceof Outcome.Unknown ? null : grants.forget(settling.lease());
            if (answer instanceof SettleAnswer.Refused refused) {
                // An earlier try may have been written, and only its answer lost.
                refused.current().ifPresent(current -> {
                    heard(current, settling.askedNanos());
                    copies.keep(current);
                });
            } else if (known != null && settling.outcome() instanceof Outcome.Completed) {
                StoredRecord completed = completed(known, settling, ((SettleAnswer.Settled) answer).from());
                if (completed != null) {
                    copies.keep(completed);
                }
            }
        });
    }

    private @Nullable StoredRecord completed(StoredRecord known, Settling settling, State from) {
        Instant earliest = clock.earliest(settling.askedNanos());
        Instant seen = known.times().asOf();
        StoredRecord current = Changes.asOf(known, earliest == null || earliest.isBefore(seen) ? seen : earliest);
        if (settling.evidence() != null) {
            return Changes.reconciled(current, settling.outcome(), settling.retention(), settling.evidence());
        }
        if (current.times().doubtSince() != null) {
            // A step may have ended the doubt since: the first replay tells.
            return null;
        }
        return Changes.settled(
                from == State.UNKNOWN ? Changes.givenUp(current) : current, settling.outcome(), settling.retention());
    }

    private void heard(StoredRecord record, long askedNanos) {
        clock.heard(askedNanos, record.times().asOf());
    }

    /** The caller has its answer, whatever becomes of the copy. */
    private static void unharmed(Runnable learning) {
        try {
            learning.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "an answer of the store could not be copied to Redis", e);
        }
    }
}

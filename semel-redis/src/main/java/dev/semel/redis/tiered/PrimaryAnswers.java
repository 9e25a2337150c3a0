package dev.semel.redis.tiered;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Observes the answers of the primary store: reads its clock from them, and copies completed records to Redis.
 *
 * <p>The answer to a settlement does not contain its time. The copy has the earliest time that it can have been, so that it
 * expires no later than the record.
 */
final class PrimaryAnswers {

    private static final System.Logger LOG = System.getLogger("dev.semel.redis");

    private final PrimaryClock clock;
    private final Copies copies;
    private final Grants grants = new Grants();

    PrimaryAnswers(PrimaryClock clock, Copies copies) {
        this.clock = clock;
        this.copies = copies;
    }

    /**
     * A settlement that was sent to the primary store.
     *
     * @param evidence null where the lease holder settles
     * @param requestNanos the local time when it was sent
     */
    record Settlement(
            Lease lease,
            Outcome outcome,
            Duration retention,
            @Nullable Evidence evidence,
            long requestNanos) {}

    void onClaim(ClaimAnswer answer, long requestNanos) {
        safely(() -> {
            if (answer instanceof ClaimAnswer.Granted granted) {
                readClock(granted.record(), requestNanos);
                grants.add(granted.record());
            } else if (answer instanceof ClaimAnswer.Recorded recorded) {
                readClock(recorded.record(), requestNanos);
                copies.put(recorded.record());
            } else if (answer instanceof ClaimAnswer.Mismatch mismatch) {
                readClock(mismatch.record(), requestNanos);
            } else if (answer instanceof ClaimAnswer.Unknown unknown) {
                readClock(unknown.record(), requestNanos);
            }
        });
    }

    /** Takes an unknown record that a reconciler of this process is about to settle. */
    void onDue(StoredRecord unknown) {
        grants.add(unknown);
    }

    void onSettlement(Settlement settlement, SettleAnswer answer) {
        safely(() -> {
            StoredRecord granted =
                    settlement.outcome() instanceof Outcome.Unknown ? null : grants.remove(settlement.lease());
            if (answer instanceof SettleAnswer.Refused refused) {
                // An earlier settlement may have been written, and only its answer lost.
                refused.current().ifPresent(current -> {
                    readClock(current, settlement.requestNanos());
                    copies.put(current);
                });
            } else if (granted != null && settlement.outcome() instanceof Outcome.Completed) {
                StoredRecord completed = completed(granted, settlement, ((SettleAnswer.Settled) answer).from());
                if (completed != null) {
                    copies.put(completed);
                }
            }
        });
    }

    private @Nullable StoredRecord completed(StoredRecord granted, Settlement settlement, State from) {
        Instant earliest = clock.earliest(settlement.requestNanos());
        Instant lastRead = granted.times().asOf();
        StoredRecord current =
                Changes.asOf(granted, earliest == null || earliest.isBefore(lastRead) ? lastRead : earliest);
        if (settlement.evidence() != null) {
            return Changes.reconciled(current, settlement.outcome(), settlement.retention(), settlement.evidence());
        }
        if (current.times().doubtSince() != null) {
            // A step may have ended the doubt since. The first replay contains the record, and is copied.
            return null;
        }
        return Changes.settled(
                from == State.UNKNOWN ? Changes.givenUp(current) : current,
                settlement.outcome(),
                settlement.retention());
    }

    private void readClock(StoredRecord record, long requestNanos) {
        clock.onAnswer(requestNanos, record.times().asOf());
    }

    /** A failure to copy must not change the caller's answer. */
    private static void safely(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a record could not be copied to Redis; the request is not affected",
                    e);
        }
    }
}

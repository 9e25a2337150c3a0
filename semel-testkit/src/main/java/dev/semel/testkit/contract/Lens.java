package dev.semel.testkit.contract;

import dev.semel.Lease;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A look at one store that compares with a look at another: times count in whole hours since the look began, fences in the
 * order in which they were granted, entries in the order in which they were written.
 */
final class Lens {

    private final Instant origin;
    private final List<Long> fences = new ArrayList<>();

    Lens(Instant origin) {
        this.origin = origin;
    }

    /** A claim was granted. */
    void granted(Lease lease) {
        if (!fences.contains(lease.fence())) {
            fences.add(lease.fence());
        }
    }

    Object at(ClaimAnswer answer) {
        if (answer instanceof ClaimAnswer.Granted granted) {
            return new ClaimAnswer.Granted(at(granted.record()));
        }
        if (answer instanceof ClaimAnswer.Recorded recorded) {
            return new ClaimAnswer.Recorded(at(recorded.record()));
        }
        if (answer instanceof ClaimAnswer.Mismatch mismatch) {
            return new ClaimAnswer.Mismatch(at(mismatch.record()));
        }
        if (answer instanceof ClaimAnswer.Unknown unknown) {
            return new ClaimAnswer.Unknown(at(unknown.record()), unknown.noticed());
        }
        Duration remaining = ((ClaimAnswer.Busy) answer).leaseRemaining();
        return new ClaimAnswer.Busy(Duration.ofHours(hours(remaining)));
    }

    Object at(SettleAnswer answer) {
        return answer instanceof SettleAnswer.Refused refused
                ? new SettleAnswer.Refused(refused.current().map(this::at))
                : answer;
    }

    StoredRecord at(StoredRecord record) {
        StoredRecord.Times times = record.times();
        StoredRecord.Reconciling reconciling = record.reconciling();
        return new StoredRecord(
                record.identity(),
                record.operation(),
                record.fingerprint(),
                record.state(),
                fences.indexOf(record.fence()),
                record.attempts(),
                record.reexecutable(),
                record.holder(),
                new StoredRecord.Times(
                        at(times.asOf()),
                        at(times.createdAt()),
                        at(times.updatedAt()),
                        at(times.claimedAt()),
                        orNull(times.doubtSince()),
                        orNull(times.lockedUntil()),
                        orNull(times.expiresAt())),
                record.response(),
                record.reason(),
                record.evidence(),
                record.steps(),
                reconciling == null
                        ? null
                        : new StoredRecord.Reconciling(
                                at(reconciling.since()), reconciling.tries(), orNull(reconciling.nextTryAt())));
    }

    List<AuditEntry> at(List<AuditEntry> history) {
        List<AuditEntry> entries = new ArrayList<>();
        for (AuditEntry entry : history) {
            entries.add(new AuditEntry(
                    entry.identity(),
                    entries.size(),
                    at(entry.at()),
                    entry.change(),
                    fences.indexOf(entry.fence()),
                    entry.from(),
                    entry.to(),
                    entry.who(),
                    entry.why()));
        }
        return entries;
    }

    private @Nullable Instant orNull(@Nullable Instant time) {
        return time == null ? null : at(time);
    }

    private Instant at(Instant time) {
        return Instant.EPOCH.plus(Duration.ofHours(hours(Duration.between(origin, time))));
    }

    /** To the nearest hour: a store whose clock goes on while a test runs is a little ahead of one whose clock stands. */
    private static long hours(Duration duration) {
        return Math.floorDiv(duration.plusMinutes(30).toMinutes(), 60);
    }
}

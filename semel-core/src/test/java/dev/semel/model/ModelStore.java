package dev.semel.model;

import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.model.Write.By;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.ClaimDecision;
import dev.semel.spi.Transitions.Deleted;
import dev.semel.spi.Transitions.SweepDecision;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A store of one record: {@link Transitions} decides, {@link Changes} writes, as in every store.
 *
 * <p>Flaws are built in where a store could have them.
 */
final class ModelStore {

    private static final Evidence EVIDENCE = new Evidence("model", "the provider says so");
    private static final Duration LATER = Duration.ofMinutes(1);

    private final Setup setup;

    ModelStore(Setup setup) {
        this.setup = setup;
    }

    /** What a claim gets, and what it writes. */
    record Claimed(ClaimDecision decision, Optional<Write> write) {}

    Claimed claim(Entry entry, boolean repeated) {
        StoredRecord record = read(entry);
        ClaimRequest request = new ClaimRequest(
                Entry.IDENTITY,
                Entry.OPERATION,
                Entry.FINGERPRINT,
                Entry.LEASE,
                setup.reexecutable(),
                repeated ? Entry.HOLDER : "another holder");
        ClaimDecision decision = record == null
                ? Transitions.onAbsent(request, Deleted.NONE, Entry.NOW)
                : Transitions.onClaim(record, request, Deleted.NONE);
        if (decision == ClaimDecision.BECOME_UNKNOWN && setup.has(Flaw.TAKEOVER_ON_EXPIRY)) {
            decision = ClaimDecision.GRANT_AGAIN;
        }
        StoredRecord after = switch (decision) {
            case GRANT_NEW -> Changes.granted(request, Entry.FENCE + 1, Entry.NOW);
            case GRANT_AGAIN -> Changes.grantedAgain(record, request, Entry.FENCE + 1);
            case BECOME_UNKNOWN -> Changes.givenUp(record);
            default -> null;
        };
        return new Claimed(decision, Optional.ofNullable(after).map(it -> byStore(By.CLAIM, record, it)));
    }

    Optional<Write> settle(Entry entry, Lease lease, Outcome outcome) {
        StoredRecord record = read(entry);
        Flaw unfenced = outcome instanceof Outcome.Completed ? Flaw.UNFENCED_COMPLETION : Flaw.UNFENCED_RELEASE;
        if (record == null || !Transitions.maySettle(record, named(lease, record, unfenced), outcome)) {
            return Optional.empty();
        }
        return Optional.of(
                new Write(By.HOLDER, lease.fence(), record, Changes.settled(record, outcome, Entry.RETENTION)));
    }

    Optional<Write> renew(Entry entry, Lease lease) {
        StoredRecord record = read(entry);
        if (record == null || !Transitions.mayRenew(record, lease)) {
            return Optional.empty();
        }
        return Optional.of(new Write(By.HOLDER, lease.fence(), record, Changes.renewed(record, Entry.LEASE)));
    }

    /** @param unfenced the flaw by which the verdict is taken for one on the record's last attempt */
    Optional<Write> reconcile(Entry entry, Lease lease, Outcome outcome, Flaw unfenced) {
        StoredRecord record = read(entry);
        if (record == null || !Transitions.mayReconcile(record, named(lease, record, unfenced), outcome)) {
            return Optional.empty();
        }
        return Optional.of(new Write(
                By.EVIDENCE, lease.fence(), record, Changes.reconciled(record, outcome, Entry.RETENTION, EVIDENCE)));
    }

    private Lease named(Lease lease, StoredRecord record, Flaw unfenced) {
        return setup.has(unfenced) ? record.lease() : lease;
    }

    Optional<Write> take(Entry entry) {
        StoredRecord record = read(entry);
        if (record == null || record.reconciling() == null || !Transitions.isDue(record)) {
            return Optional.empty();
        }
        return Optional.of(byStore(By.EVIDENCE, record, Changes.taken(record, record.reconciling(), LATER)));
    }

    Reschedule again(int tries) {
        return new Reschedule.RetryAfter(tries, LATER);
    }

    Optional<Write> reschedule(Entry entry, Lease lease, Reschedule reschedule) {
        StoredRecord record = read(entry);
        if (record == null || record.reconciling() == null || !Transitions.mayReschedule(record, lease, reschedule)) {
            return Optional.empty();
        }
        return Optional.of(new Write(
                By.EVIDENCE, lease.fence(), record, Changes.rescheduled(record, record.reconciling(), reschedule)));
    }

    Optional<Write> sweep(Entry entry) {
        StoredRecord record = read(entry);
        SweepDecision decision = record == null ? SweepDecision.LEAVE : Transitions.onSweep(record);
        return switch (decision) {
            case LEAVE -> Optional.empty();
            case REOFFER -> Optional.of(byStore(By.SWEEPER, record, Changes.reoffered(record)));
            case GIVE_UP -> Optional.of(byStore(By.SWEEPER, record, swept(record)));
        };
    }

    private StoredRecord swept(StoredRecord record) {
        return setup.has(Flaw.SWEEPER_RELEASES)
                ? Changes.settled(record, new Outcome.NotExecuted("lease expired"), Entry.RETENTION)
                : Changes.givenUp(record);
    }

    Optional<Write> prune(Entry entry, boolean delete) {
        StoredRecord record = read(entry);
        if (record != null && record.state() == State.UNKNOWN && delete && setup.has(Flaw.UNKNOWN_IS_FORGOTTEN)) {
            return Optional.of(byStore(By.PRUNING, record, null));
        }
        if (record == null || record.state() != State.EXPIRED || (!delete && entry.state() == State.EXPIRED)) {
            return Optional.empty();
        }
        return Optional.of(byStore(By.PRUNING, record, delete ? null : Changes.markedExpired(record)));
    }

    private @Nullable StoredRecord read(Entry entry) {
        return entry.at(setup.reexecutable());
    }

    private static Write byStore(By by, @Nullable StoredRecord before, @Nullable StoredRecord after) {
        return new Write(by, Entry.FENCE, before, after);
    }
}

package dev.semel.items;

import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.items.Writes.Step;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.Transitions.ClaimDecision;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A store that keeps each record as one item with its steps and its audit.
 *
 * <ol>
 *   <li>Every change is one write, on the condition that the item is as it was seen; {@link Transitions} decides, {@link Changes}
 *       writes.
 *   <li>A claim assumes that there is no item. Where there is one, the refusal brings it in the same round trip.
 *   <li>A fence is higher than that of the item before it, and than the time in microseconds.
 *   <li>Each write has a number of its own, which tells after a lost answer whether it was written.
 *   <li>The index of records is for finding them, never for deciding.
 * </ol>
 */
public abstract class ItemStore implements Store {

    private final Writes writes;
    private final Upkeep upkeep;
    private final BlockingVerbs blocking = BlockingVerbs.awaiting(this);

    /** A store of the records in this table. */
    protected ItemStore(ItemTable table, ItemIndex index) {
        this.writes = new Writes(table);
        this.upkeep = new Upkeep(table, index, writes);
    }

    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return writes.claim(request.identity(), (current, at) -> {
            ClaimDecision decision = current == null
                    ? Transitions.onAbsent(request, at.deleted(), at.now())
                    : Transitions.onClaim(current, request, at.deleted());
            if (decision == ClaimDecision.ANSWER_TOO_LATE) {
                return Step.only(new ClaimAnswer.TooLate());
            }
            if (decision == ClaimDecision.ANSWER_TOO_EARLY) {
                return Step.only(new ClaimAnswer.TooEarly());
            }
            if (current == null || decision == ClaimDecision.GRANT_NEW) {
                return granted(Changes.granted(request, at.nextFence(), at.now()), Change.GRANTED);
            }
            return switch (decision) {
                case GRANT_NEW, GRANT_AGAIN ->
                    granted(
                            Changes.grantedAgain(current, request, at.nextFence()),
                            current.state() == State.IN_PROGRESS ? Change.TAKEN_OVER : Change.GRANTED);
                case GRANT_SAME -> Step.only(new ClaimAnswer.Granted(current));
                case BECOME_UNKNOWN -> {
                    StoredRecord unknown = Changes.givenUp(current);
                    Note note = new Note(Change.GIVEN_UP, request.holder(), unknown.reason());
                    yield new Step<>(new ClaimAnswer.Unknown(unknown, true), unknown, note);
                }
                case ANSWER_MISMATCH -> Step.only(new ClaimAnswer.Mismatch(current));
                case ANSWER_RECORDED -> Step.only(new ClaimAnswer.Recorded(current));
                case ANSWER_BUSY -> Step.only(new ClaimAnswer.Busy(current.leaseRemaining()));
                case ANSWER_UNKNOWN, ANSWER_TOO_LATE, ANSWER_TOO_EARLY ->
                    Step.only(new ClaimAnswer.Unknown(current, false));
            };
        });
    }

    private static Step<ClaimAnswer> granted(StoredRecord record, Change change) {
        return new Step<>(new ClaimAnswer.Granted(record), record, new Note(change, record.holder(), null));
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return writes.change(lease.identity(), (current, at) -> {
            if (current == null || !Transitions.maySettle(current, lease, outcome)) {
                return refused(current);
            }
            StoredRecord after = Changes.settled(current, outcome, retention);
            return settled(current, after, new Note(Change.SETTLED, current.holder(), after.reason()));
        });
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return writes.change(
                lease.identity(),
                (current, at) -> current == null || !Transitions.mayRenew(current, lease)
                        ? Step.only(RenewAnswer.LOST)
                        : new Step<>(RenewAnswer.RENEWED, Changes.renewed(current, duration), null));
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return writes.change(
                lease.identity(),
                (current, at) -> current == null || !Transitions.mayRenew(current, lease)
                        ? Step.only(StepAnswer.LOST)
                        : new Step<>(
                                StepAnswer.RECORDED,
                                Changes.stepped(current, name, result),
                                new Note(Change.STEP, current.holder(), name)));
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return writes.read(identity).thenApply(found -> {
            Item item = found.item();
            return item == null ? Optional.empty() : Optional.ofNullable(item.asOf(found.at()));
        });
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return Futures.await(writes.change(lease.identity(), (current, at) -> {
            if (current == null || !Transitions.mayReconcile(current, lease, outcome)) {
                return refused(current);
            }
            return settled(
                    current,
                    Changes.reconciled(current, outcome, retention, evidence),
                    Note.of(Change.RECONCILED, evidence));
        }));
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return Futures.await(writes.change(lease.identity(), (current, at) -> {
            if (current == null
                    || current.reconciling() == null
                    || !Transitions.mayReschedule(current, lease, reschedule)) {
                return refused(current);
            }
            return settled(
                    current,
                    Changes.rescheduled(current, current.reconciling(), reschedule),
                    Note.of(Transitions.changeOf(reschedule), evidence));
        }));
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return Futures.await(writes.change(
                lease.identity(),
                (current, at) -> current == null || !Transitions.mayAnnotate(current, lease, change)
                        ? refused(current)
                        : settled(current, current, Note.of(change, evidence))));
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return Futures.await(writes.change(
                lease.identity(),
                (current, at) -> current == null || !Transitions.mayForget(current, lease)
                        ? refused(current)
                        : settled(current, Changes.forgotten(current), Note.of(Change.FORGOTTEN, evidence))));
    }

    private static Step<SettleAnswer> refused(@Nullable StoredRecord current) {
        return Step.only(new SettleAnswer.Refused(Optional.ofNullable(current)));
    }

    private static Step<SettleAnswer> settled(StoredRecord before, StoredRecord after, Note note) {
        return new Step<>(new SettleAnswer.Settled(before.state()), after, note);
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        Item item = Futures.await(writes.item(identity)).item();
        return item == null ? List.of() : item.history();
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return upkeep.sweep(limit);
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return upkeep.due(operation, limit, hold);
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return upkeep.listUnknown(filter, limit);
    }

    @Override
    public List<Identity> sample(int limit) {
        return upkeep.sample(limit);
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        Filter filter = search.filter();
        if (filter.scope() != null && filter.key() != null && !filter.key().prefix()) {
            Identity identity =
                    new Identity(filter.scope(), new Key(filter.key().text()));
            List<StoredRecord> found =
                    blocking.find(identity).map(StoredRecord::summary).stream().toList();
            return RecordSearch.Page.of(search, found, 1, true, "key");
        }
        return upkeep.search(search);
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        return upkeep.prune(limit, expiry);
    }
}

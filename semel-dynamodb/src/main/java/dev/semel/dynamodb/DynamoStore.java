package dev.semel.dynamodb;

import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.dynamodb.table.Calls;
import dev.semel.dynamodb.table.Item;
import dev.semel.dynamodb.table.Table;
import dev.semel.dynamodb.table.Writes;
import dev.semel.dynamodb.table.Writes.Step;
import dev.semel.engine.Store;
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
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/**
 * A store of records in a table of Amazon DynamoDB.
 *
 * <ol>
 *   <li>A record is one item with its steps and its audit. Every change is one write, on the condition that the item has the fence
 *       and the version that were seen; {@link Transitions} decides, {@link Changes} writes.
 *   <li>A claim assumes that there is no item. Where there is one, the refusal brings it in the same round trip.
 *   <li>Time is that of the service, from its answers: {@code docs/decisions/0052-time-on-dynamodb.md}.
 *   <li>A fence is higher than that of the item before it, and than the time in microseconds.
 *   <li>A call without a clear answer is repeated as it was, and the item tells which try was written.
 *   <li>Only settled records have a TTL. The index of open records is for finding them, never for deciding.
 * </ol>
 */
public final class DynamoStore implements Store {

    private final DynamoDbAsyncClient client;
    private final boolean ownsClient;
    private final Writes writes;
    private final Upkeep upkeep;
    private final BlockingVerbs blocking = BlockingVerbs.awaiting(this);

    private DynamoStore(DynamoDbAsyncClient client, boolean ownsClient, Table table) {
        this.client = client;
        this.ownsClient = ownsClient;
        this.writes = new Writes(table);
        this.upkeep = new Upkeep(table, writes);
    }

    /**
     * Opens the store at a URI, such as {@code dynamodb://semel?region=eu-central-1}, and creates its table if it does not exist.
     *
     * @throws IllegalArgumentException when this is no such URI; the message shows a valid form
     * @throws dev.semel.StoreException when the table cannot be reached, or its settings can lose acknowledged writes
     */
    public static DynamoStore open(String uri) {
        return open(DynamoUri.parse(uri));
    }

    /**
     * Opens the store at a URI.
     *
     * @throws dev.semel.StoreException when the table cannot be reached, or its settings can lose acknowledged writes
     */
    public static DynamoStore open(DynamoUri uri) {
        return open(uri, client -> Startup.table(client, uri.table(), uri.options(), System::nanoTime));
    }

    /**
     * Opens the store of a table that exists, and writes nothing to do so.
     *
     * @throws dev.semel.StoreException also when there is no store at this URI
     */
    public static DynamoStore openExisting(DynamoUri uri) {
        return open(uri, client -> Startup.existing(client, uri.table(), uri.options(), System::nanoTime));
    }

    private static DynamoStore open(DynamoUri uri, Function<DynamoDbAsyncClient, Table> startup) {
        DynamoDbAsyncClient client = Clients.open(uri);
        try {
            return new DynamoStore(client, true, startup.apply(client));
        } catch (RuntimeException e) {
            client.close();
            throw e;
        }
    }

    /**
     * Opens a store with a client of the application, which stays open when the store is closed.
     *
     * @throws dev.semel.StoreException when the table cannot be reached, or its settings can lose acknowledged writes
     */
    public static DynamoStore on(DynamoDbAsyncClient client, String table, DynamoOptions options) {
        return on(client, table, options, System::nanoTime);
    }

    static DynamoStore on(DynamoDbAsyncClient client, String table, DynamoOptions options, LongSupplier nanos) {
        return new DynamoStore(client, false, Startup.table(client, table, options, nanos));
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
        return Calls.await(writes.change(lease.identity(), (current, at) -> {
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
        return Calls.await(writes.change(lease.identity(), (current, at) -> {
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
        return Calls.await(writes.change(
                lease.identity(),
                (current, at) -> current == null || !Transitions.mayAnnotate(current, lease, change)
                        ? refused(current)
                        : settled(current, current, Note.of(change, evidence))));
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return Calls.await(writes.change(
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
        Item item = Calls.await(writes.item(identity)).item();
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

    /** Closes the connections that it has opened itself; records stay. */
    @Override
    public void close() {
        if (ownsClient) {
            client.close();
        }
    }
}

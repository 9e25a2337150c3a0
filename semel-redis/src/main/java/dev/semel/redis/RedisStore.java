package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.RecordSearch.Filter;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.StoredRecord.Steps;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.redis.connection.Confirmer;
import dev.semel.redis.connection.Link;
import dev.semel.redis.connection.ScriptRunner;
import dev.semel.redis.doctor.StartupCheck;
import dev.semel.redis.record.Layout;
import dev.semel.redis.record.RecordFormat;
import dev.semel.redis.script.Arguments;
import dev.semel.redis.script.Groups;
import dev.semel.redis.script.ScriptReply;
import dev.semel.redis.script.Scripts;
import dev.semel.redis.uri.RedisOptions;
import dev.semel.redis.uri.RedisUri;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.Changes;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.FirstUse;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import io.lettuce.core.ScriptOutputType;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store of records in Redis: one server, a server that Sentinel monitors, or a cluster.
 *
 * <ol>
 *   <li>Each verb on a record is one script. Redis runs it atomically: it decides and writes in one step.
 *   <li>Claims and settlements of a shard that arrive at the same time share a script: {@link Groups}.
 *   <li>The time is that of the server that runs the script.
 *   <li>A fence is higher than any before it in its shard, and than the server's time in microseconds. So fences rise also
 *       after a failover to a replica that lacks the last ones.
 *   <li>Records in progress and unknown records have no TTL; settled records expire in Redis some time after their retention.
 *   <li>With {@code replicas} set, claims, settlements, steps and reconciliations succeed only after that many replicas have
 *       confirmed them: {@link Confirmer}.
 *   <li>Verbs on many records query every shard, and take the oldest records of all shards first.
 * </ol>
 *
 * <p>An asynchronous failover loses the writes that the replica had not received. docs/reference/redis.md describes the consequences;
 * where they are not acceptable, use the tiered store.
 */
public final class RedisStore implements Store {

    private final Link link;
    private final ScriptRunner writer;
    private final Layout layout;
    private final Scripts scripts;
    private final Groups claims;
    private final Groups settlements;
    private final Shards shards;
    private final byte[] keepMarked;
    private final byte[] keepTombstones;
    private final BlockingVerbs blocking = BlockingVerbs.awaiting(this);

    private RedisStore(Link link, Scripts scripts) {
        RedisOptions options = link.uri().options();
        this.link = link;
        this.writer = options.replicas() == 0 ? link : new Confirmer(link);
        this.layout = new Layout(options.prefix(), options.shards());
        this.scripts = scripts;
        this.claims = new Groups(writer, layout, scripts.of(Scripts.Verb.CLAIM));
        this.settlements = new Groups(writer, layout, scripts.of(Scripts.Verb.SETTLE));
        this.shards = new Shards(link, layout, scripts);
        this.keepMarked = Arguments.number(RecordFormat.micros(options.keepMarked()));
        this.keepTombstones = Arguments.number(RecordFormat.micros(options.tombstones()));
    }

    /**
     * Opens the store at a URI, such as {@code redis://localhost}, and creates it if it does not exist.
     *
     * @throws IllegalArgumentException when this is no URI of a Redis; the message shows a valid form
     * @throws dev.semel.StoreException when Redis cannot be reached, or its settings can lose acknowledged writes
     */
    public static RedisStore open(String uri) {
        return open(RedisUri.parse(uri));
    }

    /**
     * Opens the store at a URI, and creates it if it does not exist.
     *
     * @throws dev.semel.StoreException when Redis cannot be reached, or its settings can lose acknowledged writes
     */
    public static RedisStore open(RedisUri uri) {
        return open(uri, new Scripts());
    }

    /**
     * Opens an existing store, and writes nothing to do so.
     *
     * @throws dev.semel.StoreException also when there is no store at this URI
     */
    public static RedisStore openExisting(RedisUri uri) {
        return open(uri, new Scripts(), StartupCheck::checkExisting);
    }

    static RedisStore open(RedisUri uri, Scripts scripts) {
        return open(uri, scripts, StartupCheck::check);
    }

    private static RedisStore open(RedisUri uri, Scripts scripts, Consumer<Link> startup) {
        Link link = Link.open(uri);
        try {
            startup.accept(link);
            return new RedisStore(link, scripts);
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    private <T> CompletionStage<T> run(
            ScriptRunner runner,
            Scripts.Verb verb,
            Identity identity,
            Function<byte[], T> decoder,
            byte[]... arguments) {
        return runner.run(scripts.of(verb), ScriptOutputType.VALUE, layout.keys(identity), decoder, arguments);
    }

    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        Identity identity = request.identity();
        FirstUse use = request.firstUse();
        boolean keepsTombstones = !link.uri().options().tombstones().isZero();
        return claims.call(
                identity,
                reply -> claimAnswer(identity, reply),
                Arguments.text(request.operation()),
                Arguments.text(request.fingerprint().value()),
                Arguments.text(request.holder()),
                Arguments.number(RecordFormat.micros(request.lease())),
                Arguments.flag(request.reexecutable()),
                time(use.from()),
                time(use.until()),
                Arguments.flag(use.refusesExpired(keepsTombstones)),
                use.refusesExpired(true) ? keepTombstones : Arguments.number(0));
    }

    /** Zero for none; a time before 1970, which no clock says, is the moment after it. */
    private static byte[] time(@Nullable Instant time) {
        return Arguments.number(time == null ? 0 : Math.max(1, RecordFormat.micros(time)));
    }

    private static ClaimAnswer claimAnswer(Identity identity, ScriptReply reply) {
        if (reply.code() == 7) {
            return new ClaimAnswer.TooLate();
        }
        if (reply.code() == 8) {
            return new ClaimAnswer.TooEarly();
        }
        StoredRecord record = reply.record(identity);
        return switch (reply.code()) {
            case 1 -> new ClaimAnswer.Granted(record);
            case 2 -> new ClaimAnswer.Recorded(record);
            case 3 -> new ClaimAnswer.Busy(record.leaseRemaining());
            case 4 -> new ClaimAnswer.Mismatch(record);
            case 5 -> new ClaimAnswer.Unknown(record, false);
            default -> new ClaimAnswer.Unknown(record, true);
        };
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return settlements.call(
                lease.identity(),
                reply -> settleAnswer(lease.identity(), reply),
                settlement(lease, outcome, retention, Transitions.LATE_ANSWER));
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return link.await(run(
                writer,
                Scripts.Verb.RECONCILE,
                lease.identity(),
                reply -> settleAnswer(lease.identity(), ScriptReply.of(reply)),
                settlement(lease, outcome, retention, evidence)));
    }

    private byte[][] settlement(Lease lease, Outcome outcome, Duration retention, Evidence evidence) {
        String reason = Changes.reasonOf(outcome);
        return new byte[][] {
            Arguments.number(lease.fence()),
            Arguments.number(RecordFormat.code(Transitions.stateOf(outcome))),
            Arguments.number(RecordFormat.micros(retention)),
            outcome instanceof Outcome.Completed completed
                    ? completed.response().bytes()
                    : Arguments.EMPTY,
            Arguments.flag(reason != null),
            reason == null ? Arguments.EMPTY : Arguments.text(reason),
            Arguments.text(evidence.source()),
            Arguments.text(evidence.detail()),
            keepTombstones
        };
    }

    private static SettleAnswer settleAnswer(Identity identity, ScriptReply reply) {
        return switch (reply.code()) {
            case 1 -> new SettleAnswer.Settled(RecordFormat.state(reply.rest().get()));
            case 2 -> new SettleAnswer.Refused(Optional.of(reply.record(identity)));
            default -> new SettleAnswer.Refused(Optional.empty());
        };
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        String kind = "reset";
        int tries = 0;
        Duration delay = Duration.ZERO;
        if (reschedule instanceof Reschedule.RetryAfter retry) {
            kind = "retry-after";
            tries = retry.tries();
            delay = retry.delay();
        } else if (reschedule instanceof Reschedule.DeadLetter deadLetter) {
            kind = "dead-letter";
            tries = deadLetter.tries();
        }
        return link.await(run(
                link,
                Scripts.Verb.RESCHEDULE,
                lease.identity(),
                reply -> settleAnswer(lease.identity(), ScriptReply.of(reply)),
                Arguments.number(lease.fence()),
                Arguments.text(kind),
                Arguments.number(tries),
                Arguments.number(RecordFormat.micros(delay)),
                Arguments.text(evidence.source()),
                Arguments.text(evidence.detail())));
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return link.await(run(
                writer,
                Scripts.Verb.ANNOTATE,
                lease.identity(),
                reply -> settleAnswer(lease.identity(), ScriptReply.of(reply)),
                Arguments.number(lease.fence()),
                Arguments.text(change.label()),
                Arguments.text(evidence.source()),
                Arguments.text(evidence.detail())));
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return link.await(run(
                writer,
                Scripts.Verb.FORGET,
                lease.identity(),
                reply -> settleAnswer(lease.identity(), ScriptReply.of(reply)),
                Arguments.number(lease.fence()),
                keepMarked,
                Arguments.text(evidence.source()),
                Arguments.text(evidence.detail())));
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
        return shards.search(search);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return link.<Long, RenewAnswer>run(
                scripts.of(Scripts.Verb.RENEW),
                ScriptOutputType.INTEGER,
                layout.keys(lease),
                done -> done == 1 ? RenewAnswer.RENEWED : RenewAnswer.LOST,
                Arguments.number(lease.fence()),
                Arguments.number(RecordFormat.micros(duration)));
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return writer.<Long, StepAnswer>run(
                scripts.of(Scripts.Verb.STEP),
                ScriptOutputType.INTEGER,
                layout.keys(lease),
                done -> done == 1 ? StepAnswer.RECORDED : StepAnswer.LOST,
                Arguments.number(lease.fence()),
                Arguments.text(name),
                Steps.of(name, result).bytes());
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return run(link, Scripts.Verb.FIND, identity, reply -> present(reply).map(there -> there.record(identity)));
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return link.await(run(
                link,
                Scripts.Verb.FIND,
                identity,
                reply -> present(reply)
                        .map(there -> RecordFormat.history(identity, there.rest()))
                        .orElse(List.of())));
    }

    private static Optional<ScriptReply> present(byte[] reply) {
        return ScriptReply.isPresent(reply) ? Optional.of(ScriptReply.of(reply)) : Optional.empty();
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return shards.take(
                List.of(":leases"),
                limit,
                (shard, count) -> shards.records(Scripts.Verb.SWEEP, shard, Arguments.number(count)));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        byte[] micros = Arguments.number(RecordFormat.micros(hold));
        return shards.take(
                List.of(":due:" + operation),
                limit,
                (shard, count) -> shards.records(
                        Scripts.Verb.DUE, shard, Arguments.number(count), Arguments.text(operation), micros));
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return shards.list(filter, limit);
    }

    @Override
    public List<Identity> sample(int limit) {
        return RecordKeys.sample(link, limit);
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        boolean delete = expiry == Expiry.DELETE;
        return shards.count(
                delete ? List.of(":expiring", ":marked") : List.of(":expiring"),
                limit,
                (shard, count) -> shards.number(
                        Scripts.Verb.PRUNE,
                        shard,
                        Arguments.number(count),
                        Arguments.text(delete ? "delete" : "mark"),
                        keepMarked,
                        keepTombstones));
    }

    /** Closes the connection; records stay. */
    @Override
    public void close() {
        link.close();
    }
}

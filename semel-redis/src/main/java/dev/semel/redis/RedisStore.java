package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.Steps;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownFilter;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.Reschedule;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StepAnswer;
import dev.semel.spi.Transitions;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Records in Redis: one server, one that Sentinel watches, or a cluster.
 *
 * <ol>
 *   <li>Each verb on a record is one script, which Redis runs as a whole: what it decides and what it writes are one.
 *   <li>Claims and settlements of a shard that come at the same time share a script: {@link GroupLane}.
 *   <li>The time is that of the server which runs the script.
 *   <li>A fence is higher than any before it in its shard, and than the time in microseconds: it rises also when a replica
 *       takes over that has not heard of the last ones.
 *   <li>What is in progress or unknown has no end in Redis; what is settled ends by itself some time after its retention.
 *   <li>Where replicas are to confirm, what a client goes on from (claims, settlements, steps, reconciliations) counts only
 *       once they have: {@link Confirmer}.
 *   <li>Verbs on many records look at every shard, and take the oldest of all of them first.
 * </ol>
 *
 * <p>An asynchronous failover loses what the replica had not received, whatever is done here: docs/reference/redis.md says what
 * follows from it, and the tiered store is for whom that is not enough.
 */
public final class RedisStore implements Store {

    private static final byte[] YES = {'1'};
    private static final byte[] NO = {'0'};
    private static final byte[] NOTHING = {};

    private final Link link;
    private final Runner writing;
    private final Layout layout;
    private final Scripts scripts;
    private final Groups claims;
    private final Groups settlements;
    private final Shards shards;
    private final byte[] keepMarked;
    private final BlockingVerbs blocking = BlockingVerbs.awaiting(this);

    private RedisStore(Link link, Scripts scripts) {
        RedisOptions options = link.uri().options();
        this.link = link;
        this.writing = options.replicas() == 0 ? link : new Confirmer(link);
        this.layout = new Layout(options.prefix(), options.shards());
        this.scripts = scripts;
        this.claims = new Groups(writing, layout, scripts.of(Scripts.Verb.CLAIM));
        this.settlements = new Groups(writing, layout, scripts.of(Scripts.Verb.SETTLE));
        this.shards = new Shards(link, layout, scripts);
        this.keepMarked = number(RecordFormat.micros(options.keepMarked()));
    }

    /**
     * Opens the store that a URI names, such as {@code redis://localhost}.
     *
     * @throws IllegalArgumentException when this is not the URI of a Redis; the message says what would be right
     * @throws dev.semel.StoreException when Redis cannot be reached, or may forget what it has confirmed
     */
    public static RedisStore open(String uri) {
        return open(RedisUri.parse(uri));
    }

    /**
     * Opens the store at this place.
     *
     * @throws dev.semel.StoreException when Redis cannot be reached, or may forget what it has confirmed
     */
    public static RedisStore open(RedisUri uri) {
        return open(uri, UnaryOperator.identity());
    }

    /**
     * Opens a store that somebody has used before at this place, and writes nothing to open it.
     *
     * @throws dev.semel.StoreException also when there is none
     */
    public static RedisStore openExisting(RedisUri uri) {
        return open(uri, UnaryOperator.identity(), RedisStartup::checkExisting);
    }

    /** With scripts that read as they do after this. */
    static RedisStore open(RedisUri uri, UnaryOperator<String> reading) {
        return open(uri, reading, RedisStartup::check);
    }

    private static RedisStore open(RedisUri uri, UnaryOperator<String> reading, Consumer<Link> startup) {
        Link link = Link.open(uri);
        try {
            startup.accept(link);
            return new RedisStore(link, new Scripts(reading));
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    static byte[] number(long number) {
        return Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] flag(boolean set) {
        return set ? YES : NO;
    }

    private <T> CompletionStage<T> on(
            Runner runner, Scripts.Verb verb, Identity identity, Function<byte[], T> reading, byte[]... arguments) {
        return runner.run(scripts.of(verb), ScriptOutputType.VALUE, layout.keys(identity), reading, arguments);
    }

    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        Identity identity = request.identity();
        return claims.call(
                identity,
                reply -> claimAnswer(identity, reply),
                bytes(request.operation()),
                bytes(request.fingerprint().value()),
                bytes(request.holder()),
                number(RecordFormat.micros(request.lease())),
                flag(request.reexecutable()));
    }

    private static ClaimAnswer claimAnswer(Identity identity, Reply reply) {
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
        return link.await(on(
                writing,
                Scripts.Verb.RECONCILE,
                lease.identity(),
                reply -> settleAnswer(lease.identity(), Reply.of(reply)),
                settlement(lease, outcome, retention, evidence)));
    }

    private static byte[][] settlement(Lease lease, Outcome outcome, Duration retention, Evidence evidence) {
        String reason = Changes.reasonOf(outcome);
        return new byte[][] {
            number(lease.fence()),
            number(RecordFormat.code(Transitions.stateOf(outcome))),
            number(RecordFormat.micros(retention)),
            outcome instanceof Outcome.Completed completed
                    ? completed.response().bytes()
                    : NOTHING,
            flag(reason != null),
            reason == null ? NOTHING : bytes(reason),
            bytes(evidence.source()),
            bytes(evidence.detail())
        };
    }

    private static SettleAnswer settleAnswer(Identity identity, Reply reply) {
        return switch (reply.code()) {
            case 1 -> new SettleAnswer.Settled(RecordFormat.state(reply.rest().get()));
            case 2 -> new SettleAnswer.Refused(Optional.of(reply.record(identity)));
            default -> new SettleAnswer.Refused(Optional.empty());
        };
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        String what = "afresh";
        int tries = 0;
        Duration delay = Duration.ZERO;
        if (reschedule instanceof Reschedule.RetryAfter again) {
            what = "again";
            tries = again.tries();
            delay = again.delay();
        } else if (reschedule instanceof Reschedule.DeadLetter deadLetter) {
            what = "dead-letter";
            tries = deadLetter.tries();
        }
        return link.await(on(
                link,
                Scripts.Verb.RESCHEDULE,
                lease.identity(),
                reply -> settleAnswer(lease.identity(), Reply.of(reply)),
                number(lease.fence()),
                bytes(what),
                number(tries),
                number(RecordFormat.micros(delay)),
                bytes(evidence.source()),
                bytes(evidence.detail())));
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return link.<Long, RenewAnswer>run(
                scripts.of(Scripts.Verb.RENEW),
                ScriptOutputType.INTEGER,
                layout.keys(lease),
                done -> done == 1 ? RenewAnswer.RENEWED : RenewAnswer.LOST,
                number(lease.fence()),
                number(RecordFormat.micros(duration)));
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return writing.<Long, StepAnswer>run(
                scripts.of(Scripts.Verb.STEP),
                ScriptOutputType.INTEGER,
                layout.keys(lease),
                done -> done == 1 ? StepAnswer.RECORDED : StepAnswer.LOST,
                number(lease.fence()),
                bytes(name),
                Steps.of(name, result).bytes());
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return on(link, Scripts.Verb.FIND, identity, reply -> found(reply).map(there -> there.record(identity)));
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return link.await(on(
                link,
                Scripts.Verb.FIND,
                identity,
                reply -> found(reply)
                        .map(there -> RecordFormat.history(identity, there.rest()))
                        .orElse(List.of())));
    }

    private static Optional<Reply> found(byte[] reply) {
        return Reply.isOne(reply) ? Optional.of(Reply.of(reply)) : Optional.empty();
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return link.await(shards.take(
                List.of(":leases"), limit, (shard, count) -> shards.records(Scripts.Verb.SWEEP, shard, number(count))));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        byte[] micros = number(RecordFormat.micros(hold));
        return link.await(shards.take(
                List.of(":due:" + operation),
                limit,
                (shard, count) -> shards.records(Scripts.Verb.DUE, shard, number(count), bytes(operation), micros)));
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return link.await(shards.list(filter, limit));
    }

    @Override
    public List<Identity> sample(int limit) {
        return RecordKeys.sample(link, limit);
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        boolean delete = expiry == Expiry.DELETE;
        return link.await(shards.count(
                delete ? List.of(":expiring", ":marked") : List.of(":expiring"),
                limit,
                (shard, count) -> shards.number(
                        Scripts.Verb.PRUNE, shard, number(count), bytes(delete ? "delete" : "mark"), keepMarked)));
    }

    /** Ends the connection; records stay. */
    @Override
    public void close() {
        link.close();
    }
}

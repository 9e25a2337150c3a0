package dev.semel.redis.tiered;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.engine.GatheringStore;
import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.redis.connection.Link;
import dev.semel.redis.uri.RedisUri;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.Transitions;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * A store with Redis in front of a primary store, usually a database: Redis answers replays, the primary store everything else.
 * With a near-cache in the engine, that makes three tiers.
 *
 * <ol>
 *   <li>Only the primary store grants, and only it decides that a record is absent, in progress or unknown. Redis answers for
 *       completed records, which do not change until their retention ends.
 *   <li>A copy goes to Redis after the primary store has confirmed a completion as durable, never before. A completion within
 *       the caller's transaction is copied at its first replay.
 *   <li>Copies are sealed with a secret from the primary store, and expire by the primary store's clock: {@link Copies}. So no
 *       loss in Redis, and no foreign write to it, changes a decision.
 *   <li>A Redis that does not reply costs a timeout for a few claims, and then for one claim a second. The store opens without
 *       it.
 * </ol>
 */
public sealed class TieredStore implements GatheringStore permits TieredTransactionalStore {

    private final Store primary;
    private final PrimaryClock clock;
    private final Copies copies;
    private final PrimaryAnswers answers;
    private final BlockingVerbs blocking = new Blocking();

    /** Whether the thread is within {@link #together}. Not static: it may be so for several stores at once. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Boolean> gathering = ThreadLocal.withInitial(() -> false);

    TieredStore(Store primary, PrimaryClock clock, Copies copies) {
        this.primary = primary;
        this.clock = clock;
        this.copies = copies;
        this.answers = new PrimaryAnswers(clock, copies);
    }

    /**
     * Puts Redis in front of a store. The result is a {@link TransactionalStore} exactly if the primary store is one, and
     * closes both when it is closed.
     *
     * @throws IllegalArgumentException when the URI names a certificate file that does not exist
     * @throws dev.semel.StoreException when the primary store cannot be reached; Redis need not be reachable
     */
    public static TieredStore over(Store primary, RedisUri redis) {
        return over(primary, redis, TieredOptions.DEFAULT);
    }

    /**
     * Puts Redis in front of a store. The timeout for replies is that of the options, the one for connecting that of the URI.
     *
     * @see #over(Store, RedisUri)
     */
    public static TieredStore over(Store primary, RedisUri redis, TieredOptions options) {
        return over(primary, redis, options, System::nanoTime);
    }

    /** @param nanos the source of elapsed time */
    static TieredStore over(Store primary, RedisUri redis, TieredOptions options, LongSupplier nanos) {
        Link link = Link.connecting(redis, options.timeout());
        try {
            return over(primary, link, options, nanos);
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    static TieredStore over(Store primary, Link link, TieredOptions options, LongSupplier nanos) {
        PrimaryClock clock = new PrimaryClock(nanos);
        long requestNanos = clock.requestNanos();
        StoredRecord secret = TierSecret.of(primary);
        clock.onAnswer(requestNanos, secret.times().asOf());
        CopySeal seal = new CopySeal(Objects.requireNonNull(secret.response()).bytes());
        Copies copies = new Copies(link, seal, clock, new CircuitBreaker(nanos), options.maxAge());
        return primary instanceof TransactionalStore transactional
                ? new TieredTransactionalStore(primary, transactional, clock, copies)
                : new TieredStore(primary, clock, copies);
    }

    /** Claims within the task use only the primary store: few of a batch are replays, and they share a round trip there. */
    @Override
    public void together(Runnable task) {
        if (!(primary instanceof GatheringStore gatheringStore) || gathering.get()) {
            task.run();
            return;
        }
        gathering.set(true);
        try {
            gatheringStore.together(task);
        } finally {
            gathering.remove();
        }
    }

    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    /** Waits for Redis, then for the primary store, which may work on the caller's thread. */
    private final class Blocking implements BlockingVerbs {

        @Override
        public ClaimAnswer claim(ClaimRequest request) {
            Optional<StoredRecord> copy = copies.findAndWait(request.identity());
            if (copy.isPresent()) {
                return answer(copy.get(), request);
            }
            long requestNanos = clock.requestNanos();
            ClaimAnswer answer = primary.blocking().claim(request);
            answers.onClaim(answer, requestNanos);
            return answer;
        }

        @Override
        public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
            PrimaryAnswers.Settlement settlement =
                    new PrimaryAnswers.Settlement(lease, outcome, retention, null, clock.requestNanos());
            return observed(settlement, primary.blocking().settle(lease, outcome, retention));
        }

        @Override
        public StepAnswer step(Lease lease, String name, Response result) {
            return primary.blocking().step(lease, name, result);
        }

        @Override
        public Optional<StoredRecord> find(Identity identity) {
            return primary.blocking().find(identity);
        }
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        if (gathering.get()) {
            return claimOfPrimary(request);
        }
        return copies.find(request.identity())
                .thenCompose(copy -> copy.isPresent()
                        ? CompletableFuture.completedFuture(answer(copy.get(), request))
                        : claimOfPrimary(request));
    }

    private static ClaimAnswer answer(StoredRecord completed, ClaimRequest request) {
        return Transitions.onClaim(completed, request, Transitions.Deleted.NONE)
                        == Transitions.ClaimDecision.ANSWER_RECORDED
                ? new ClaimAnswer.Recorded(completed)
                : new ClaimAnswer.Mismatch(completed);
    }

    private CompletionStage<ClaimAnswer> claimOfPrimary(ClaimRequest request) {
        long requestNanos = clock.requestNanos();
        return primary.claim(request).thenApply(answer -> {
            answers.onClaim(answer, requestNanos);
            return answer;
        });
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        PrimaryAnswers.Settlement settlement =
                new PrimaryAnswers.Settlement(lease, outcome, retention, null, clock.requestNanos());
        return primary.settle(lease, outcome, retention).thenApply(answer -> observed(settlement, answer));
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        PrimaryAnswers.Settlement settlement =
                new PrimaryAnswers.Settlement(lease, outcome, retention, evidence, clock.requestNanos());
        return observed(settlement, primary.reconcile(lease, outcome, evidence, retention));
    }

    /** Sends the copy before the caller gets its answer, so that the next claim in this process finds it. */
    private SettleAnswer observed(PrimaryAnswers.Settlement settlement, SettleAnswer answer) {
        answers.onSettlement(settlement, answer);
        return answer;
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return primary.renew(lease, duration);
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return primary.step(lease, name, result);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return primary.find(identity);
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return primary.history(identity);
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        return primary.prune(limit, expiry);
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return primary.sweep(limit);
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        List<StoredRecord> taken = primary.due(operation, limit, hold);
        taken.forEach(answers::onDue);
        return taken;
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return primary.reschedule(lease, reschedule, evidence);
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return primary.annotate(lease, change, evidence);
    }

    /**
     * {@inheritDoc}
     *
     * <p>The copy is removed first and again afterwards: a claim in between may have copied the record as it was. If Redis
     * cannot be reached then, nothing is forgotten, since a copy could go on to be replayed.
     */
    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        copies.remove(lease.identity());
        SettleAnswer answer = primary.forget(lease, evidence);
        copies.remove(lease.identity());
        return answer;
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        return primary.search(search);
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return primary.listUnknown(filter, limit);
    }

    @Override
    public List<Identity> sample(int limit) {
        return primary.sample(limit);
    }

    /** Returns how often Redis was used so far. */
    public TieredStatistics statistics() {
        return copies.statistics();
    }

    /** Closes the connection to Redis and the primary store; records stay in both. */
    @Override
    public void close() {
        copies.close();
        primary.close();
    }
}

package dev.semel.redis;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.engine.GatheringStore;
import dev.semel.engine.Store;
import dev.semel.engine.TransactionalStore;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownFilter;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.Reschedule;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StepAnswer;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;

/**
 * Redis in front of a store that stays the truth, usually that of a database: replays come from Redis, everything else from
 * the truth. With a near-cache in the engine, that makes three tiers.
 *
 * <ol>
 *   <li>The truth alone grants, and alone says that a record is absent, in progress or unknown. Of a completed record, which
 *       does not change until it ends, Redis may say what the truth would say.
 *   <li>Copies go to Redis after the truth has confirmed a completion as durable, never before. What completes within a
 *       transaction of somebody else's is copied at its first replay.
 *   <li>Copies are sealed with a secret that is kept in the truth, and end by the truth's clock: {@link Copies}. So whatever
 *       happens to Redis, or is written into it, changes no decision.
 *   <li>A Redis that does not answer costs a timeout for a few claims and one claim a second from then on. It is not needed to
 *       open the store.
 * </ol>
 */
public sealed class TieredStore implements GatheringStore permits TieredTransactionalStore {

    private final Store truth;
    private final TruthClock clock;
    private final Copies copies;
    private final Confirmed confirmed;
    private final BlockingVerbs blocking = new Blocking();

    /** Whether the thread gathers. Not static: it may do so for several stores at once. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Boolean> gathering = ThreadLocal.withInitial(() -> false);

    TieredStore(Store truth, TruthClock clock, Copies copies) {
        this.truth = truth;
        this.clock = clock;
        this.copies = copies;
        this.confirmed = new Confirmed(clock, copies);
    }

    /**
     * Puts a Redis in front of a store. What is returned can take part in transactions exactly if the store can, and closes
     * both when it is closed.
     *
     * @throws IllegalArgumentException when the store keeps no audit or no steps, or the URI names a file that is not there
     * @throws dev.semel.StoreException when the store cannot be reached; Redis need not be reachable
     */
    public static TieredStore over(Store truth, RedisUri redis) {
        return over(truth, redis, TieredOptions.DEFAULT);
    }

    /**
     * Puts a Redis in front of a store. The options say how long to wait for its answers, the URI how long for a connection.
     *
     * @see #over(Store, RedisUri)
     */
    public static TieredStore over(Store truth, RedisUri redis, TieredOptions options) {
        return over(truth, redis, options, System::nanoTime);
    }

    /** With another sense of elapsed time. */
    static TieredStore over(Store truth, RedisUri redis, TieredOptions options, LongSupplier nanos) {
        Link link = Link.connecting(redis, options.timeout());
        try {
            return over(truth, link, options, nanos);
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
    }

    /** On a connection that is there, or will be. */
    static TieredStore over(Store truth, Link link, TieredOptions options, LongSupplier nanos) {
        TruthClock clock = new TruthClock(nanos);
        long askedNanos = clock.asking();
        StoredRecord secret = TierSecret.of(truth);
        clock.heard(askedNanos, secret.times().asOf());
        CopySeal seal = new CopySeal(Objects.requireNonNull(secret.response()).bytes());
        Copies copies = new Copies(link, seal, clock, new Breaker(nanos), options.maxAge());
        return truth instanceof TransactionalStore transactional
                ? new TieredTransactionalStore(truth, transactional, clock, copies)
                : new TieredStore(truth, clock, copies);
    }

    /** Asks the truth alone: what comes in batches is seldom completed already, and shares one round trip there. */
    @Override
    public void together(Runnable task) {
        if (!(truth instanceof GatheringStore together) || gathering.get()) {
            task.run();
            return;
        }
        gathering.set(true);
        try {
            together.together(task);
        } finally {
            gathering.remove();
        }
    }

    @Override
    public BlockingVerbs blocking() {
        return blocking;
    }

    /** Waits for Redis, then for the store behind it, which may work on the caller's thread. */
    private final class Blocking implements BlockingVerbs {

        @Override
        public ClaimAnswer claim(ClaimRequest request) {
            Optional<StoredRecord> copy =
                    copies.find(request.identity()).toCompletableFuture().join();
            if (copy.isPresent()) {
                return answer(copy.get(), request);
            }
            long askedNanos = clock.asking();
            ClaimAnswer answer = truth.blocking().claim(request);
            confirmed.claim(answer, askedNanos);
            return answer;
        }

        @Override
        public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
            Confirmed.Settling settling = new Confirmed.Settling(lease, outcome, retention, null, clock.asking());
            return settled(settling, truth.blocking().settle(lease, outcome, retention));
        }

        @Override
        public StepAnswer step(Lease lease, String name, Response result) {
            return truth.blocking().step(lease, name, result);
        }

        @Override
        public Optional<StoredRecord> find(Identity identity) {
            return truth.blocking().find(identity);
        }
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        if (gathering.get()) {
            return claimOfTruth(request);
        }
        return copies.find(request.identity())
                .thenCompose(copy -> copy.isPresent()
                        ? CompletableFuture.completedFuture(answer(copy.get(), request))
                        : claimOfTruth(request));
    }

    private static ClaimAnswer answer(StoredRecord completed, ClaimRequest request) {
        return Transitions.onClaim(completed, request) == Transitions.ClaimDecision.ANSWER_RECORDED
                ? new ClaimAnswer.Recorded(completed)
                : new ClaimAnswer.Mismatch(completed);
    }

    private CompletionStage<ClaimAnswer> claimOfTruth(ClaimRequest request) {
        long askedNanos = clock.asking();
        return truth.claim(request).thenApply(answer -> {
            confirmed.claim(answer, askedNanos);
            return answer;
        });
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        Confirmed.Settling settling = new Confirmed.Settling(lease, outcome, retention, null, clock.asking());
        return truth.settle(lease, outcome, retention).thenApply(answer -> settled(settling, answer));
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        Confirmed.Settling settling = new Confirmed.Settling(lease, outcome, retention, evidence, clock.asking());
        return settled(settling, truth.reconcile(lease, outcome, evidence, retention));
    }

    /** The copy is sent before the caller gets the answer, so that the next claim in this process finds it. */
    private SettleAnswer settled(Confirmed.Settling settling, SettleAnswer answer) {
        confirmed.settlement(settling, answer);
        return answer;
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return truth.renew(lease, duration);
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return truth.step(lease, name, result);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return truth.find(identity);
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return truth.history(identity);
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        return truth.prune(limit, expiry);
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return truth.sweep(limit);
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        List<StoredRecord> taken = truth.due(operation, limit, hold);
        taken.forEach(confirmed::taken);
        return taken;
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return truth.reschedule(lease, reschedule, evidence);
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return truth.listUnknown(filter, limit);
    }

    @Override
    public List<Identity> sample(int limit) {
        return truth.sample(limit);
    }

    /** What Redis was good for so far. */
    public TieredStatistics statistics() {
        return copies.statistics();
    }

    /** Ends the connection to Redis, and closes the truth; records stay in both. */
    @Override
    public void close() {
        copies.close();
        truth.close();
    }
}

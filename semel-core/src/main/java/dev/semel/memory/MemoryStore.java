package dev.semel.memory;

import dev.semel.Evidence;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.spi.Changes;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process's memory: fast, fenced, and gone when the process ends.
 *
 * <p>Each verb is one atomic update of one entry of a concurrent map; {@link Transitions} decides, {@link Changes} writes.
 */
public final class MemoryStore implements ReconcilableStore {

    private final InstantSource clock;
    private final ConcurrentMap<Identity, StoredRecord> records = new ConcurrentHashMap<>();
    private final AtomicLong lastFence = new AtomicLong();

    /** A store whose clock is elapsed time since now: it does not jump when the machine's clock is set. */
    public MemoryStore() {
        this(new ElapsedTime());
    }

    /** A store that goes by this clock. */
    public MemoryStore(InstantSource clock) {
        this.clock = clock;
    }

    /** An answer, and the record to write with it; null writes nothing. */
    private record Step<A>(A answer, @Nullable StoredRecord write) {}

    /** Decides on a record as it reads now, or on its absence. */
    private interface Decision<A> {
        Step<A> on(@Nullable StoredRecord current, Instant now);
    }

    private <A> CompletionStage<A> atomically(Identity identity, Decision<A> decision) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        records.compute(identity, (id, stored) -> {
            Instant now = clock.instant();
            Step<A> step = decision.on(stored == null ? null : Changes.asOf(stored, now), now);
            answer.complete(step.answer());
            return step.write() == null ? stored : step.write();
        });
        return answer;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return atomically(request.identity(), (current, now) -> {
            Transitions.ClaimDecision decision = Transitions.onClaim(current, request);
            if (current == null || decision == Transitions.ClaimDecision.GRANT_NEW) {
                return granted(Changes.granted(request, lastFence.incrementAndGet(), now));
            }
            return switch (decision) {
                case GRANT_NEW, GRANT_AGAIN ->
                    granted(Changes.grantedAgain(current, request, lastFence.incrementAndGet()));
                case GRANT_SAME -> new Step<>(new ClaimAnswer.Granted(current.lease(), current.attempts()), null);
                case BECOME_UNKNOWN -> {
                    StoredRecord unknown = Changes.givenUp(current);
                    yield new Step<>(new ClaimAnswer.Unknown(unknown), unknown);
                }
                case ANSWER_MISMATCH -> new Step<>(new ClaimAnswer.Mismatch(current), null);
                case ANSWER_RECORDED -> new Step<>(new ClaimAnswer.Recorded(current), null);
                case ANSWER_BUSY -> new Step<>(new ClaimAnswer.Busy(current.leaseRemaining()), null);
                case ANSWER_UNKNOWN -> new Step<>(new ClaimAnswer.Unknown(current), null);
            };
        });
    }

    private static Step<ClaimAnswer> granted(StoredRecord record) {
        return new Step<>(new ClaimAnswer.Granted(record.lease(), record.attempts()), record);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return atomically(lease.identity(), (current, now) -> {
            if (current == null || !Transitions.maySettle(current, lease, outcome)) {
                return refused(current);
            }
            return settled(current, Changes.settled(current, outcome, retention));
        });
    }

    @Override
    public CompletionStage<SettleAnswer> reconcile(
            Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return atomically(lease.identity(), (current, now) -> {
            if (current == null || !Transitions.mayReconcile(current, lease, outcome)) {
                return refused(current);
            }
            return settled(current, Changes.reconciled(current, outcome, retention, evidence));
        });
    }

    private static Step<SettleAnswer> refused(@Nullable StoredRecord current) {
        return new Step<>(new SettleAnswer.Refused(Optional.ofNullable(current)), null);
    }

    private static Step<SettleAnswer> settled(StoredRecord before, StoredRecord after) {
        return new Step<>(new SettleAnswer.Settled(before.state()), after);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return atomically(lease.identity(), (current, now) -> {
            if (current == null || !Transitions.mayRenew(current, lease)) {
                return new Step<>(RenewAnswer.LOST, null);
            }
            return new Step<>(RenewAnswer.RENEWED, Changes.renewed(current, duration));
        });
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return CompletableFuture.completedFuture(
                Optional.ofNullable(records.get(identity)).map(stored -> Changes.asOf(stored, clock.instant())));
    }

    /** Looks at every record: a store in memory that is too large for that is too large for memory. */
    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        Instant now = clock.instant();
        List<StoredRecord> due = records.values().stream()
                .filter(stored -> Changes.asOf(stored, now).state() == State.EXPIRED)
                .filter(stored -> expiry == Expiry.DELETE || stored.state() != State.EXPIRED)
                .sorted(Comparator.comparing(stored -> endOf(stored, now)))
                .limit(limit)
                .toList();
        int pruned = 0;
        for (StoredRecord stored : due) {
            boolean done = expiry == Expiry.DELETE
                    ? records.remove(stored.identity(), stored)
                    : records.replace(stored.identity(), stored, Changes.markedExpired(Changes.asOf(stored, now)));
            pruned += done ? 1 : 0;
        }
        return CompletableFuture.completedFuture(pruned);
    }

    private static Instant endOf(StoredRecord stored, Instant otherwise) {
        Instant end = stored.times().expiresAt();
        return end == null ? otherwise : end;
    }

    /** Does nothing: what is here goes when nobody refers to it any more. */
    @Override
    public void close() {}
}

package dev.semel.memory;

import dev.semel.Evidence;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.State;
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
 * <p>Each verb is one atomic update of one entry of a concurrent map; the decision is {@link Transitions}'.
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

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        ClaimAnswer[] answer = new ClaimAnswer[1];
        records.compute(request.identity(), (identity, stored) -> {
            Instant now = clock.instant();
            StoredRecord current = stored == null ? null : asOf(stored, now);
            switch (Transitions.onClaim(current, request)) {
                case GRANT_NEW -> {
                    StoredRecord granted = granted(request, now, now, 1);
                    answer[0] = new ClaimAnswer.Granted(granted.lease(), 1);
                    return granted;
                }
                case GRANT_AGAIN -> {
                    StoredRecord before = present(current);
                    StoredRecord granted = granted(request, now, before.times().createdAt(), before.attempts() + 1);
                    answer[0] = new ClaimAnswer.Granted(granted.lease(), granted.attempts());
                    return granted;
                }
                case GRANT_SAME ->
                    answer[0] = new ClaimAnswer.Granted(
                            present(current).lease(), present(current).attempts());
                case BECOME_UNKNOWN -> {
                    StoredRecord unknown =
                            settled(present(current), State.UNKNOWN, now, null, null, Transitions.LEASE_EXPIRED, null);
                    answer[0] = new ClaimAnswer.Unknown(unknown);
                    return unknown;
                }
                case ANSWER_MISMATCH -> answer[0] = new ClaimAnswer.Mismatch(present(current));
                case ANSWER_RECORDED -> answer[0] = new ClaimAnswer.Recorded(present(current));
                case ANSWER_BUSY ->
                    answer[0] = new ClaimAnswer.Busy(present(current).leaseRemaining());
                case ANSWER_UNKNOWN -> answer[0] = new ClaimAnswer.Unknown(present(current));
            }
            return stored;
        });
        return CompletableFuture.completedFuture(answer[0]);
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return update(lease, current -> {
            if (!Transitions.maySettle(current.state(), outcome)) {
                return null;
            }
            Evidence evidence = current.state() == State.UNKNOWN ? Transitions.LATE_ANSWER : null;
            return settled(current, outcome, retention, evidence);
        });
    }

    @Override
    public CompletionStage<SettleAnswer> reconcile(
            Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return update(
                lease,
                current -> Transitions.mayReconcile(current.state(), outcome)
                        ? settled(current, outcome, retention, evidence)
                        : null);
    }

    /** What becomes of a record whose fence matches; null refuses. */
    private interface Change {
        @Nullable
        StoredRecord of(StoredRecord current);
    }

    private CompletionStage<SettleAnswer> update(Lease lease, Change change) {
        SettleAnswer[] answer = new SettleAnswer[] {new SettleAnswer.Refused(Optional.empty())};
        records.computeIfPresent(lease.identity(), (identity, stored) -> {
            StoredRecord current = asOf(stored, clock.instant());
            StoredRecord changed = current.fence() == lease.fence() ? change.of(current) : null;
            if (changed == null) {
                answer[0] = new SettleAnswer.Refused(Optional.of(current));
                return stored;
            }
            answer[0] = new SettleAnswer.Settled(current.state());
            return changed;
        });
        return CompletableFuture.completedFuture(answer[0]);
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        RenewAnswer[] answer = new RenewAnswer[] {RenewAnswer.LOST};
        records.computeIfPresent(lease.identity(), (identity, stored) -> {
            if (stored.fence() != lease.fence() || stored.state() != State.IN_PROGRESS) {
                return stored;
            }
            answer[0] = RenewAnswer.RENEWED;
            Instant now = clock.instant();
            return withTimes(
                    stored,
                    stored.state(),
                    new StoredRecord.Times(now, stored.times().createdAt(), now, now.plus(duration), null));
        });
        return CompletableFuture.completedFuture(answer[0]);
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return CompletableFuture.completedFuture(
                Optional.ofNullable(records.get(identity)).map(stored -> asOf(stored, clock.instant())));
    }

    @Override
    public CompletionStage<Integer> prune(int limit, Expiry expiry) {
        Instant now = clock.instant();
        List<StoredRecord> due = records.values().stream()
                .filter(stored -> isDue(stored, now, expiry))
                .sorted(Comparator.comparing(stored -> present(stored.times().expiresAt())))
                .limit(limit)
                .toList();
        int pruned = 0;
        for (StoredRecord stored : due) {
            boolean done = expiry == Expiry.DELETE
                    ? records.remove(stored.identity(), stored)
                    : records.replace(stored.identity(), stored, marked(stored, now));
            pruned += done ? 1 : 0;
        }
        return CompletableFuture.completedFuture(pruned);
    }

    private static boolean isDue(StoredRecord stored, Instant now, Expiry expiry) {
        Instant end = stored.times().expiresAt();
        return end != null && !end.isAfter(now) && (expiry == Expiry.DELETE || stored.state() != State.EXPIRED);
    }

    private static StoredRecord marked(StoredRecord stored, Instant now) {
        return settled(
                stored, State.EXPIRED, now, stored.times().expiresAt(), null, stored.reason(), stored.evidence());
    }

    /** Does nothing: what is here goes when nobody refers to it any more. */
    @Override
    public void close() {}

    private StoredRecord granted(ClaimRequest request, Instant now, Instant createdAt, int attempts) {
        return new StoredRecord(
                request.identity(),
                request.operation(),
                request.fingerprint(),
                State.IN_PROGRESS,
                lastFence.incrementAndGet(),
                attempts,
                request.reexecutable(),
                request.holder(),
                new StoredRecord.Times(now, createdAt, now, now.plus(request.lease()), null),
                null,
                null,
                null);
    }

    private static StoredRecord settled(
            StoredRecord current, Outcome outcome, Duration retention, @Nullable Evidence evidence) {
        Instant now = current.times().asOf();
        if (outcome instanceof Outcome.Completed completed) {
            return settled(current, State.COMPLETED, now, now.plus(retention), completed.response(), null, evidence);
        }
        if (outcome instanceof Outcome.NotExecuted notExecuted) {
            return settled(
                    current, State.FAILED_RETRYABLE, now, now.plus(retention), null, notExecuted.reason(), evidence);
        }
        return settled(current, State.UNKNOWN, now, null, null, ((Outcome.Unknown) outcome).reason(), evidence);
    }

    private static StoredRecord settled(
            StoredRecord current,
            State state,
            Instant now,
            @Nullable Instant expiresAt,
            @Nullable Response response,
            @Nullable String reason,
            @Nullable Evidence evidence) {
        return new StoredRecord(
                current.identity(),
                current.operation(),
                current.fingerprint(),
                state,
                current.fence(),
                current.attempts(),
                current.reexecutable(),
                current.holder(),
                new StoredRecord.Times(now, current.times().createdAt(), now, null, expiresAt),
                response,
                reason,
                evidence);
    }

    /** The record as it reads at this moment: settled and past its retention means expired. */
    private static StoredRecord asOf(StoredRecord stored, Instant now) {
        StoredRecord.Times times = stored.times();
        boolean expired = times.expiresAt() != null && !times.expiresAt().isAfter(now);
        return withTimes(
                stored,
                expired ? State.EXPIRED : stored.state(),
                new StoredRecord.Times(
                        now, times.createdAt(), times.updatedAt(), times.lockedUntil(), times.expiresAt()));
    }

    private static StoredRecord withTimes(StoredRecord stored, State state, StoredRecord.Times times) {
        return new StoredRecord(
                stored.identity(),
                stored.operation(),
                stored.fingerprint(),
                state,
                stored.fence(),
                stored.attempts(),
                stored.reexecutable(),
                stored.holder(),
                times,
                state == State.EXPIRED ? null : stored.response(),
                stored.reason(),
                stored.evidence());
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("the state machine decided on a record that is not there");
        }
        return value;
    }
}

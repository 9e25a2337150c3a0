package dev.semel.memory;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.State;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.AuditEntry.Note;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
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
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A store in this process's memory: fast, fenced, and gone when the process ends.
 *
 * <p>Each verb is one atomic update of one entry of a concurrent map; {@link Transitions} decides, {@link Changes} writes.
 * Verbs that look for records look at every one: a store in memory that is too large for that is too large for memory.
 */
public final class MemoryStore implements Store {

    private final InstantSource clock;
    private final ConcurrentMap<Identity, Kept> records = new ConcurrentHashMap<>();
    private final AtomicLong lastFence = new AtomicLong();

    /** What the last scan found past its retention, oldest first, and no batch has taken yet: with a scan for each, many take long. */
    private final Queue<Kept> due = new ConcurrentLinkedQueue<>();

    private final Tombstones tombstones;
    private final BlockingVerbs verbs = new Verbs();

    /** A store whose clock is elapsed time since now: it does not jump when the machine's clock is set. */
    public MemoryStore() {
        this(new ElapsedTime());
    }

    /** A store that goes by this clock. */
    public MemoryStore(InstantSource clock) {
        this(clock, Duration.ZERO);
    }

    /** A store that goes by this clock, and keeps the tombstones of deleted records for so long; zero for none. */
    public MemoryStore(InstantSource clock, Duration tombstones) {
        this.clock = clock;
        this.tombstones = new Tombstones(tombstones);
    }

    /** An answer, and what to write with it; no record writes nothing, no note is no change worth an entry. */
    private record Step<A>(
            A answer,
            @Nullable StoredRecord write,
            @Nullable Note note) {

        static <A> Step<A> only(A answer) {
            return new Step<>(answer, null, null);
        }
    }

    /** Decides on a record as it reads now, or on its absence. */
    private interface Decision<A> {
        Step<A> on(@Nullable StoredRecord current, Instant now);
    }

    private <A> A atomically(Identity identity, Decision<A> decision) {
        AtomicReference<@Nullable A> answer = new AtomicReference<>();
        records.compute(identity, (id, kept) -> {
            Instant now = clock.instant();
            StoredRecord current = kept == null ? null : Changes.asOf(kept.record(), now);
            Step<A> step = decision.on(current, now);
            answer.set(step.answer());
            if (step.write() == null) {
                return kept;
            }
            return step.note() == null && kept != null
                    ? Kept.rewritten(kept, step.write())
                    : Kept.after(kept, current, step.write(), requireNote(step));
        });
        return Objects.requireNonNull(answer.get());
    }

    private static Note requireNote(Step<?> step) {
        if (step.note() == null) {
            throw new IllegalStateException("a new record is a change, and has a note");
        }
        return step.note();
    }

    @Override
    public BlockingVerbs blocking() {
        return verbs;
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return CompletableFuture.completedFuture(verbs.claim(request));
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return CompletableFuture.completedFuture(verbs.settle(lease, outcome, retention));
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return CompletableFuture.completedFuture(verbs.step(lease, name, result));
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return CompletableFuture.completedFuture(verbs.find(identity));
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return CompletableFuture.completedFuture(atomically(lease.identity(), (current, now) -> {
            if (current == null || !Transitions.mayRenew(current, lease)) {
                return Step.only(RenewAnswer.LOST);
            }
            return new Step<>(RenewAnswer.RENEWED, Changes.renewed(current, duration), null);
        }));
    }

    /** The verbs of requests, which never wait for anything but another update of the same entry. */
    private final class Verbs implements BlockingVerbs {

        @Override
        public ClaimAnswer claim(ClaimRequest request) {
            return atomically(request.identity(), (current, now) -> {
                Transitions.Deleted deleted = tombstones.of(request.identity());
                Transitions.ClaimDecision decision = current == null
                        ? Transitions.onAbsent(request, deleted, now)
                        : Transitions.onClaim(current, request, deleted);
                if (decision == Transitions.ClaimDecision.ANSWER_TOO_LATE) {
                    return Step.only(new ClaimAnswer.TooLate());
                }
                if (decision == Transitions.ClaimDecision.ANSWER_TOO_EARLY) {
                    return Step.only(new ClaimAnswer.TooEarly());
                }
                if (current == null || decision == Transitions.ClaimDecision.GRANT_NEW) {
                    return granted(Changes.granted(request, lastFence.incrementAndGet(), now), Change.GRANTED);
                }
                return switch (decision) {
                    case GRANT_NEW, GRANT_AGAIN ->
                        granted(
                                Changes.grantedAgain(current, request, lastFence.incrementAndGet()),
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

        @Override
        public SettleAnswer settle(Lease lease, Outcome outcome, Duration retention) {
            return atomically(lease.identity(), (current, now) -> {
                if (current == null || !Transitions.maySettle(current, lease, outcome)) {
                    return refused(current);
                }
                StoredRecord after = Changes.settled(current, outcome, retention);
                return settled(current, after, new Note(Change.SETTLED, current.holder(), after.reason()));
            });
        }

        @Override
        public StepAnswer step(Lease lease, String name, Response result) {
            return atomically(lease.identity(), (current, now) -> {
                if (current == null || !Transitions.mayRenew(current, lease)) {
                    return Step.only(StepAnswer.LOST);
                }
                return new Step<>(
                        StepAnswer.RECORDED,
                        Changes.stepped(current, name, result),
                        new Note(Change.STEP, current.holder(), name));
            });
        }

        @Override
        public Optional<StoredRecord> find(Identity identity) {
            return Optional.ofNullable(records.get(identity)).map(kept -> Changes.asOf(kept.record(), clock.instant()));
        }
    }

    private static Step<ClaimAnswer> granted(StoredRecord record, Change change) {
        return new Step<>(new ClaimAnswer.Granted(record), record, new Note(change, record.holder(), null));
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return atomically(lease.identity(), (current, now) -> {
            if (current == null || !Transitions.mayReconcile(current, lease, outcome)) {
                return refused(current);
            }
            return settled(
                    current,
                    Changes.reconciled(current, outcome, retention, evidence),
                    Note.of(Change.RECONCILED, evidence));
        });
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return atomically(lease.identity(), (current, now) -> {
            if (current == null
                    || current.reconciling() == null
                    || !Transitions.mayReschedule(current, lease, reschedule)) {
                return refused(current);
            }
            return settled(
                    current,
                    Changes.rescheduled(current, current.reconciling(), reschedule),
                    Note.of(Transitions.changeOf(reschedule), evidence));
        });
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return atomically(lease.identity(), (current, now) -> {
            if (current == null || !Transitions.mayAnnotate(current, lease, change)) {
                return refused(current);
            }
            return settled(current, current, Note.of(change, evidence));
        });
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return atomically(lease.identity(), (current, now) -> {
            if (current == null || !Transitions.mayForget(current, lease)) {
                return refused(current);
            }
            return settled(current, Changes.forgotten(current), Note.of(Change.FORGOTTEN, evidence));
        });
    }

    private static Step<SettleAnswer> refused(@Nullable StoredRecord current) {
        return Step.only(new SettleAnswer.Refused(Optional.ofNullable(current)));
    }

    private static Step<SettleAnswer> settled(StoredRecord before, StoredRecord after, Note note) {
        return new Step<>(new SettleAnswer.Settled(before.state()), after, note);
    }

    @Override
    public List<Identity> sample(int limit) {
        return records.keySet().stream().limit(limit).toList();
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        Instant now = clock.instant();
        List<StoredRecord> all = records.values().stream()
                .map(kept -> Changes.asOf(kept.record(), now).summary())
                .toList();
        return RecordSearch.Page.of(search, all, all.size(), true, "memory");
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        Kept kept = records.get(identity);
        return kept == null ? List.of() : kept.history();
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return take(
                record -> Transitions.onSweep(record) != Transitions.SweepDecision.LEAVE,
                Comparator.comparing(record -> orEpoch(record.times().lockedUntil())),
                limit,
                current -> switch (Transitions.onSweep(current)) {
                    case GIVE_UP -> swept(Changes.givenUp(current), Change.GIVEN_UP);
                    case REOFFER -> swept(Changes.reoffered(current), Change.REOFFERED);
                    case LEAVE -> Step.only(Optional.empty());
                });
    }

    private static Step<Optional<StoredRecord>> swept(StoredRecord after, Change change) {
        return new Step<>(Optional.of(after), after, new Note(change, AuditEntry.SWEEPER, after.reason()));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        Predicate<StoredRecord> due = record -> record.operation().equals(operation) && Transitions.isDue(record);
        return take(due, Comparator.comparing(MemoryStore::nextTry), limit, current -> {
            if (current.reconciling() == null || !due.test(current)) {
                return Step.only(Optional.empty());
            }
            StoredRecord taken = Changes.taken(current, current.reconciling(), hold);
            return new Step<>(Optional.of(taken), taken, null);
        });
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return matching(filter::accepts, Comparator.comparing(StoredRecord::identity), limit);
    }

    private static Instant nextTry(StoredRecord record) {
        return orEpoch(
                record.reconciling() == null ? null : record.reconciling().nextTryAt());
    }

    private static Instant orEpoch(@Nullable Instant time) {
        return time == null ? Instant.EPOCH : time;
    }

    private List<StoredRecord> matching(Predicate<StoredRecord> wanted, Comparator<StoredRecord> order, int limit) {
        Instant now = clock.instant();
        return records.values().stream()
                .map(kept -> Changes.asOf(kept.record(), now))
                .filter(wanted)
                .sorted(order)
                .limit(limit)
                .toList();
    }

    /** Decides again on a record that was found without holding it. */
    private interface Recheck {
        Step<Optional<StoredRecord>> on(StoredRecord current);
    }

    /** Takes what it finds, and looks again for what others were faster to take, so that too few means that there are no more. */
    private List<StoredRecord> take(
            Predicate<StoredRecord> wanted, Comparator<StoredRecord> order, int limit, Recheck recheck) {
        Map<Identity, StoredRecord> taken = new LinkedHashMap<>();
        boolean more = true;
        while (more) {
            int missing = limit - taken.size();
            List<StoredRecord> found =
                    matching(wanted.and(record -> !taken.containsKey(record.identity())), order, missing);
            for (StoredRecord record : found) {
                Optional<StoredRecord> changed = atomically(
                        record.identity(),
                        (current, now) -> current == null ? Step.only(Optional.empty()) : recheck.on(current));
                changed.ifPresent(after -> taken.put(after.identity(), after));
            }
            more = found.size() == missing && taken.size() < limit;
        }
        return List.copyOf(taken.values());
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        Instant now = clock.instant();
        boolean scanned = false;
        int pruned = 0;
        while (pruned < limit && !(due.isEmpty() && scanned)) {
            Kept oldest = due.poll();
            if (oldest == null) {
                scanned = true;
                records.values().stream()
                        .filter(kept -> isDue(kept, expiry, now))
                        .sorted(Comparator.comparing(
                                kept -> orEpoch(kept.record().times().expiresAt())))
                        .forEachOrdered(due::add);
            } else if (isDue(oldest, expiry, now) && prune(oldest, expiry, now)) {
                pruned++;
            }
        }
        tombstones.prune(limit, now);
        return pruned;
    }

    private static boolean isDue(Kept kept, Expiry expiry, Instant now) {
        return Changes.asOf(kept.record(), now).state() == State.EXPIRED
                && (expiry == Expiry.DELETE || kept.record().state() != State.EXPIRED);
    }

    /** Returns false when the record has changed since it was looked at. */
    private boolean prune(Kept kept, Expiry expiry, Instant now) {
        return expiry == Expiry.DELETE ? delete(kept, now) : records.replace(kept.identity(), kept, marked(kept, now));
    }

    /** The tombstone is there before the record is gone: claims of its key wait for this update. */
    private boolean delete(Kept due, Instant now) {
        AtomicBoolean deleted = new AtomicBoolean();
        records.computeIfPresent(due.identity(), (identity, kept) -> {
            if (!kept.equals(due)) {
                return kept;
            }
            tombstones.add(kept.record(), now);
            deleted.set(true);
            return null;
        });
        return deleted.get();
    }

    private static Kept marked(Kept kept, Instant now) {
        StoredRecord after = Changes.markedExpired(Changes.asOf(kept.record(), now));
        return Kept.after(kept, kept.record(), after, new Note(Change.EXPIRED, AuditEntry.PRUNING, null));
    }

    /** Does nothing: the records are garbage-collected with the store. */
    @Override
    public void close() {}
}

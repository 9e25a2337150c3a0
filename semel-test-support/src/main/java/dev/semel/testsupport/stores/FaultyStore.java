package dev.semel.testsupport.stores;

import dev.semel.Identity;
import dev.semel.Lease;
import dev.semel.Outcome;
import dev.semel.Response;
import dev.semel.Retention.Expiry;
import dev.semel.StoreException;
import dev.semel.engine.Store;
import dev.semel.reconcile.AuditEntry;
import dev.semel.reconcile.AuditEntry.Change;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.RecordSearch;
import dev.semel.reconcile.StoredRecord;
import dev.semel.reconcile.UnknownOutcomes.UnknownFilter;
import dev.semel.spi.BlockingVerbs;
import dev.semel.spi.RequestVerbs.ClaimAnswer;
import dev.semel.spi.RequestVerbs.ClaimRequest;
import dev.semel.spi.RequestVerbs.RenewAnswer;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.RequestVerbs.StepAnswer;
import dev.semel.spi.UpkeepVerbs.Reschedule;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A store that fails on demand: before the call reaches the store behind it, or after, so that only the answer is lost.
 *
 * <p>Thread-safe.
 */
public final class FaultyStore implements Store {

    /** A method of the store. */
    public enum Verb {
        CLAIM,
        SETTLE,
        RENEW,
        FIND,
        PRUNE,
        RECONCILE,
        SWEEP,
        DUE,
        RESCHEDULE,
        ANNOTATE,
        FORGET,
        SEARCH,
        UNKNOWN,
        HISTORY,
        STEP,
        SOME
    }

    /** What goes wrong. */
    public enum Fault {
        /** Nothing is written. */
        REFUSED,
        /** It is written, and the answer is lost. */
        ANSWER_LOST
    }

    private final Store inner;
    private final Map<Verb, Queue<Fault>> next = new EnumMap<>(Verb.class);
    private boolean down;

    public FaultyStore(Store inner) {
        this.inner = inner;
    }

    /** Lets the next call of this verb that has no fault yet go wrong. */
    public synchronized void failNext(Verb verb, Fault fault) {
        next.computeIfAbsent(verb, v -> new ArrayDeque<>()).add(fault);
    }

    /** Lets everything fail until {@link #up()}. */
    public synchronized void down() {
        down = true;
    }

    public synchronized void up() {
        down = false;
    }

    private synchronized Optional<Fault> faultOf(Verb verb) {
        if (down) {
            return Optional.of(Fault.REFUSED);
        }
        Queue<Fault> faults = next.get(verb);
        return faults == null ? Optional.empty() : Optional.ofNullable(faults.poll());
    }

    private <T> CompletionStage<T> call(Verb verb, Supplier<CompletionStage<T>> real) {
        Optional<Fault> fault = faultOf(verb);
        if (fault.isEmpty()) {
            return real.get();
        }
        StoreException failure = injected(verb, fault.get());
        if (fault.get() == Fault.REFUSED) {
            return CompletableFuture.failedFuture(failure);
        }
        return real.get().thenCompose(answer -> CompletableFuture.failedFuture(failure));
    }

    private <T> T callAndWait(Verb verb, Supplier<T> real) {
        Optional<Fault> fault = faultOf(verb);
        if (fault.isEmpty()) {
            return real.get();
        }
        if (fault.get() == Fault.ANSWER_LOST) {
            T unused = real.get();
        }
        throw injected(verb, fault.get());
    }

    private static StoreException injected(Verb verb, Fault fault) {
        return new StoreException("injected: " + verb + " " + fault);
    }

    @Override
    public BlockingVerbs blocking() {
        return BlockingVerbs.awaiting(this);
    }

    @Override
    public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
        return call(Verb.CLAIM, () -> inner.claim(request));
    }

    @Override
    public CompletionStage<SettleAnswer> settle(Lease lease, Outcome outcome, Duration retention) {
        return call(Verb.SETTLE, () -> inner.settle(lease, outcome, retention));
    }

    @Override
    public CompletionStage<RenewAnswer> renew(Lease lease, Duration duration) {
        return call(Verb.RENEW, () -> inner.renew(lease, duration));
    }

    @Override
    public CompletionStage<Optional<StoredRecord>> find(Identity identity) {
        return call(Verb.FIND, () -> inner.find(identity));
    }

    @Override
    public int prune(int limit, Expiry expiry) {
        return callAndWait(Verb.PRUNE, () -> inner.prune(limit, expiry));
    }

    @Override
    public SettleAnswer reconcile(Lease lease, Outcome outcome, Evidence evidence, Duration retention) {
        return callAndWait(Verb.RECONCILE, () -> inner.reconcile(lease, outcome, evidence, retention));
    }

    @Override
    public List<StoredRecord> sweep(int limit) {
        return callAndWait(Verb.SWEEP, () -> inner.sweep(limit));
    }

    @Override
    public List<StoredRecord> due(String operation, int limit, Duration hold) {
        return callAndWait(Verb.DUE, () -> inner.due(operation, limit, hold));
    }

    @Override
    public SettleAnswer reschedule(Lease lease, Reschedule reschedule, Evidence evidence) {
        return callAndWait(Verb.RESCHEDULE, () -> inner.reschedule(lease, reschedule, evidence));
    }

    @Override
    public SettleAnswer annotate(Lease lease, Change change, Evidence evidence) {
        return callAndWait(Verb.ANNOTATE, () -> inner.annotate(lease, change, evidence));
    }

    @Override
    public SettleAnswer forget(Lease lease, Evidence evidence) {
        return callAndWait(Verb.FORGET, () -> inner.forget(lease, evidence));
    }

    @Override
    public RecordSearch.Page search(RecordSearch search) {
        return callAndWait(Verb.SEARCH, () -> inner.search(search));
    }

    @Override
    public List<StoredRecord> listUnknown(UnknownFilter filter, int limit) {
        return callAndWait(Verb.UNKNOWN, () -> inner.listUnknown(filter, limit));
    }

    @Override
    public List<AuditEntry> history(Identity identity) {
        return callAndWait(Verb.HISTORY, () -> inner.history(identity));
    }

    @Override
    public List<Identity> sample(int limit) {
        return callAndWait(Verb.SOME, () -> inner.sample(limit));
    }

    @Override
    public CompletionStage<StepAnswer> step(Lease lease, String name, Response result) {
        return call(Verb.STEP, () -> inner.step(lease, name, result));
    }

    @Override
    public void close() {
        inner.close();
    }
}

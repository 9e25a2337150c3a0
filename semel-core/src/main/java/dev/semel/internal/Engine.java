package dev.semel.internal;

import dev.semel.AsyncWork;
import dev.semel.Claim;
import dev.semel.Codec;
import dev.semel.Event;
import dev.semel.Execution;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Scope;
import dev.semel.Semel;
import dev.semel.Settlement;
import dev.semel.StoreException;
import dev.semel.TransactionWork;
import dev.semel.TransactionalSemel;
import dev.semel.UnknownOutcomes;
import dev.semel.Work;
import dev.semel.key.KeyFinding;
import dev.semel.key.KeyHygiene;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.GatheringStore;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.Store;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Timer;
import dev.semel.spi.TransactionalStore;
import java.security.SecureRandom;
import java.sql.Connection;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Claim, run, settle. What an answer of the store means is decided here once, for blocking and asynchronous callers. */
public final class Engine implements Semel {

    /** Small enough that one batch holds no lock that a request would notice. */
    private static final int PRUNE_BATCH = 500;

    /** The coarsest clock of a store counts in milliseconds, and may see a lease or a retention end that much sooner. */
    static final long STORE_CLOCK_STEP_NANOS = 1_000_000;

    static final String CLOSED = "this engine is closed";

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private final Store store;
    private final Timer timer;
    private final KeyForm keys;
    private final boolean executing;
    private final Listeners listeners;
    private final Envelope envelope;
    private final Traces traces;
    private final DownstreamKeys downstreamKeys;
    private final NearReplays near;
    private final UnknownLog unknownLog = new UnknownLog();
    private final Settler settler;
    private final LostUnknowns lostUnknowns;
    private final PoorKeys poorKeys;
    private final SecureRandom names = new SecureRandom();
    private final Set<Claiming> waiting = ConcurrentHashMap.newKeySet();
    private volatile Timer.Cancellable nextPruning = () -> {};
    private volatile boolean closed;

    public Engine(Store store, Timer timer, EngineConfig config) {
        this.store = store;
        this.timer = timer;
        this.keys = config.keyForm();
        this.executing = config.executing();
        if (executing) {
            KeyFormRecord.require(store, keys, timer, nextHolder());
        } else if (keys.isHashed()) {
            KeyFormRecord.requireSecret(store, keys);
        }
        this.listeners = new Listeners(config.listeners());
        this.envelope = new Envelope(config.encryption());
        this.traces = new Traces(config.tracer());
        this.downstreamKeys = config.downstreamKeys();
        this.near = new NearReplays(config.nearCache(), timer, listeners, envelope);
        this.settler = new Settler(store, timer, listeners, near, unknownLog);
        this.lostUnknowns = new LostUnknowns(this);
        this.poorKeys = new PoorKeys(timer);
        if (config.pruneEvery() != null) {
            schedulePruning(config.pruneEvery(), config.expiry());
        }
    }

    /**
     * A name that no other claim has, in this process or any other. Every one is random: a counter would go on alike in
     * two copies of a process that were restored from one snapshot.
     */
    String nextHolder() {
        byte[] name = new byte[16];
        names.nextBytes(name);
        return HexFormat.of().formatHex(name);
    }

    boolean isClosed() {
        return closed;
    }

    Store store() {
        return store;
    }

    Timer timer() {
        return timer;
    }

    Listeners listeners() {
        return listeners;
    }

    UnknownLog unknownLog() {
        return unknownLog;
    }

    Envelope envelope() {
        return envelope;
    }

    DownstreamKeys downstreamKeys() {
        return downstreamKeys;
    }

    NearReplays near() {
        return near;
    }

    /** What is known in memory of what the store would answer. */
    @Nullable
    Claim answerNear(Intent intent, Traces.OfClaim trace) {
        return closed ? null : near.answer(intent, trace);
    }

    Traces traces() {
        return traces;
    }

    Settler settler() {
        return settler;
    }

    LostUnknowns lostUnknowns() {
        return lostUnknowns;
    }

    @Override
    public Identity stored(Identity sent) {
        return keys.stored(sent);
    }

    @Override
    public Identity named(Identity typed) {
        if (KeyForm.looksHashed(typed.key())) {
            return typed;
        }
        if (!executing && !keys.isHashed() && KeyFormRecord.isHashed(store)) {
            throw new StoreException(
                    "the keys in this store are hashed: give its secret, or the key as lists of records"
                            + " show it, which begins with h1:");
        }
        return keys.stored(typed);
    }

    /** What every caller's intent goes through, once, before anything else is done with it. */
    Intent stored(Intent sent) {
        if (!executing) {
            throw new UnsupportedOperationException("this engine was made for operators: it executes nothing");
        }
        return keys.stored(sent);
    }

    /** Keeps a key in the clear out of a store where keys are hashed, should it ever come this far. */
    void requireStored(Identity identity) {
        if (keys.isHashed() && !KeyForm.looksHashed(identity.key())) {
            throw new IllegalStateException("a claim of " + identity + " has not gone through Engine.stored");
        }
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Execution<T> execute(
            Intent intent, Codec<T> codec, Work<T, E> work) throws E {
        return Runner.run(begin(intent), codec, work);
    }

    @Override
    public <T extends @Nullable Object> CompletionStage<Execution<T>> executeAsync(
            Intent intent, Codec<T> codec, AsyncWork<T> work) {
        return beginAsync(intent).thenCompose(claim -> Runner.runAsync(claim, codec, work));
    }

    private Claiming claiming(Intent intent, Traces.OfClaim trace) {
        return new Claiming(this, intent, trace, new Claiming.Ground() {
            @Override
            public CompletionStage<ClaimAnswer> claim(ClaimRequest request) {
                return store.claim(request);
            }

            @Override
            public Claim.Granted granted(StoredRecord granted, long askedNanos) {
                LiveAttempt attempt = new LiveAttempt(Engine.this, intent.operation(), granted, askedNanos);
                if (closed || !attempt.stillOwner()) {
                    throw notStarted(attempt);
                }
                attempt.begin(trace);
                return new Claim.Granted(attempt);
            }

            @Override
            public void settle(StoredRecord granted, Outcome.Unknown outcome) {
                CompletionStage<Settlement> unused = settler.settle(
                        intent.operation(), granted.lease(), granted.fingerprint(), outcome, timer.nanos());
            }

            @Override
            public void completed(NearReplays.Completion completion) {
                near.keep(completion);
            }
        });
    }

    /** Gives back a right to execute that came too late, while it is certain that nothing was executed. */
    private StoreException notStarted(LiveAttempt attempt) {
        attempt.settle(new Outcome.NotExecuted("granted_too_late"));
        return new StoreException(
                closed
                        ? CLOSED
                        : "the store answered a claim of " + attempt.lease().identity()
                                + " after its lease had ended: nothing was executed");
    }

    @Override
    public TransactionalSemel within(Connection connection) {
        // Nobody tells us whether this transaction commits.
        return transacting(connection, completion -> {});
    }

    /** Within a transaction, with somebody who hears of completed records that are on record if it commits. */
    Transacting transacting(Connection connection, Consumer<NearReplays.Completion> ifCommitted) {
        if (!(store instanceof TransactionalStore transactional)) {
            throw new UnsupportedOperationException(
                    "this store cannot take part in a transaction: use the store of the database that the transaction is in");
        }
        return new Transacting(this, transactional, connection, ifCommitted);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> Execution<T> executeInTransaction(
            DataSource dataSource, Intent intent, Codec<T> codec, TransactionWork<T, E> work) throws E {
        return OwnTransaction.execute(this, dataSource, stored(intent), codec, work);
    }

    @Override
    public Claim begin(Intent sent) {
        Intent intent = stored(sent);
        Traces.OfClaim trace = traces.claim(intent);
        try {
            Claim known = answerNear(intent, trace);
            return known == null ? claim(intent, trace) : known;
        } catch (Throwable failure) {
            trace.failed(failure);
            throw failure;
        }
    }

    private Claim claim(Intent intent, Traces.OfClaim trace) {
        Claiming claiming = claiming(intent, trace);
        while (true) {
            Claiming.Next next = claiming.askBlocking();
            if (next instanceof Claiming.Next.Done done) {
                return done.claim();
            }
            if (next instanceof Claiming.Next.Pause pause) {
                try {
                    timer.pause(pause.length());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return claiming.refusedInProgress();
                }
            }
        }
    }

    @Override
    public CompletionStage<Claim> beginAsync(Intent sent) {
        Intent intent = stored(sent);
        Traces.OfClaim trace = traces.claim(intent);
        Claim known;
        try {
            known = answerNear(intent, trace);
        } catch (RuntimeException | Error fault) {
            trace.failed(fault);
            return CompletableFuture.failedFuture(Faults.ofStore(fault));
        }
        return known == null ? claimAsync(intent, trace) : CompletableFuture.completedFuture(known);
    }

    private CompletionStage<Claim> claimAsync(Intent intent, Traces.OfClaim trace) {
        Claiming claiming = claiming(intent, trace);
        CompletionStage<Claim> result = claiming.result();
        if (trace.isTraced()) {
            result.whenComplete((claim, failure) -> {
                if (failure != null) {
                    trace.failed(failure);
                }
            });
        }
        waiting.add(claiming);
        ask(claiming);
        return result;
    }

    private void ask(Claiming claiming) {
        if (claiming.result().isDone()) {
            waiting.remove(claiming);
            return;
        }
        claiming.ask().whenComplete((next, failure) -> {
            if (next instanceof Claiming.Next.Pause pause) {
                timer.after(pause.length(), () -> ask(claiming));
            } else if (next instanceof Claiming.Next.AskAgain) {
                ask(claiming);
            } else {
                waiting.remove(claiming);
                if (next instanceof Claiming.Next.Done done) {
                    if (!claiming.result().complete(done.claim()) && done.claim() instanceof Claim.Granted granted) {
                        // The caller has cancelled or run out of patience: nobody is left to execute.
                        granted.attempt().settle(new Outcome.NotExecuted("nobody_waited"));
                    }
                } else {
                    claiming.result().completeExceptionally(Faults.ofStore(failure));
                }
            }
        });
    }

    @Override
    public Optional<KeyFinding> inspect(Operation operation, Scope scope, Key chosen, KeyHygiene hygiene) {
        if (hygiene == KeyHygiene.IGNORE) {
            return Optional.empty();
        }
        Optional<KeyFinding> finding = KeyFinding.in(chosen);
        if (finding.isPresent()) {
            boolean refused = hygiene == KeyHygiene.REFUSE;
            Event.PoorKey poor = new Event.PoorKey(operation.name(), scope, finding.get(), refused);
            listeners.tell(poor);
            poorKeys.warn(poor, stored(new Identity(scope, chosen)).key());
        }
        return finding;
    }

    @Override
    public void together(Runnable task) {
        if (store instanceof GatheringStore gathering) {
            gathering.together(task);
        } else {
            task.run();
        }
    }

    @Override
    public Optional<StoredRecord> find(Identity sent) {
        return findStored(stored(sent));
    }

    Optional<StoredRecord> findStored(Identity identity) {
        return Faults.await(Faults.staged(() -> store.find(identity))).map(record -> {
            if (record.response() == null) {
                return record;
            }
            return record.withResponse(
                    envelope.open(identity, record.response()).response());
        });
    }

    @Override
    public UnknownOutcomes unknownOutcomes() {
        if (!(store instanceof ReconcilableStore reconcilable)) {
            throw new UnsupportedOperationException("this store cannot settle unknown outcomes");
        }
        return new Unknowns(this, reconcilable);
    }

    @Override
    public long prune(Expiry expiry) {
        long all = 0;
        int batch;
        do {
            batch = pruneBatch(expiry);
            all += batch;
            listeners.tell(new Event.Pruned(batch, expiry));
        } while (batch == PRUNE_BATCH && !closed);
        return all;
    }

    private int pruneBatch(Expiry expiry) {
        try {
            return Faults.await(Faults.staged(() -> store.prune(PRUNE_BATCH, expiry)));
        } catch (StoreException fault) {
            listeners.tell(new Event.BatchFault("prune", fault));
            throw fault;
        }
    }

    private void schedulePruning(Duration interval, Expiry expiry) {
        nextPruning = timer.after(interval, () -> {
            try {
                prune(expiry);
            } catch (RuntimeException | Error e) {
                LOG.log(System.Logger.Level.WARNING, "pruning failed and is tried again in " + interval, e);
            }
            if (!closed) {
                schedulePruning(interval, expiry);
            }
        });
    }

    @Override
    public void close() {
        closed = true;
        nextPruning.cancel();
        if (timer instanceof SystemTimer own) {
            own.close();
        }
        settler.close();
        lostUnknowns.close();
        waiting.forEach(claiming -> claiming.result().completeExceptionally(new StoreException(CLOSED)));
        store.close();
    }
}

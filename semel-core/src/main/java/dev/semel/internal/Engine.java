package dev.semel.internal;

import dev.semel.AsyncWork;
import dev.semel.Claim;
import dev.semel.Codec;
import dev.semel.Event;
import dev.semel.Evidence;
import dev.semel.Execution;
import dev.semel.Expiry;
import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.Reconciliation;
import dev.semel.Refusal;
import dev.semel.Response;
import dev.semel.Semel;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.Verdict;
import dev.semel.Work;
import dev.semel.spi.ClaimAnswer;
import dev.semel.spi.ClaimRequest;
import dev.semel.spi.ReconcilableStore;
import dev.semel.spi.SettleAnswer;
import dev.semel.spi.Store;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Timer;
import dev.semel.spi.Transitions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Claim, run, settle. What an answer of the store means is decided here once, for blocking and asynchronous callers. */
public final class Engine implements Semel {

    /** Small enough that one batch holds no lock that a request would notice. */
    private static final int PRUNE_BATCH = 500;

    /** What a refused duplicate is told to wait: most operations end sooner, and nobody gains from asking more often. */
    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private static final String CLOSED = "this engine is closed";

    private static final System.Logger LOG = System.getLogger("dev.semel");

    private final Store store;
    private final Timer timer;
    private final Listeners listeners;
    private final Envelope envelope;
    private final DownstreamKeys downstreamKeys;
    private final Settler settler;
    private final String instance = randomName();
    private final AtomicLong claims = new AtomicLong();
    private final Set<Claiming> waiting = ConcurrentHashMap.newKeySet();
    private volatile Timer.Cancellable nextPruning = () -> {};
    private volatile boolean closed;

    public Engine(Store store, Timer timer, EngineConfig config) {
        this.store = store;
        this.timer = timer;
        this.listeners = new Listeners(config.listeners());
        this.envelope = new Envelope(config.encryption());
        this.downstreamKeys = config.downstreamKeys();
        this.settler = new Settler(store, timer, listeners);
        if (config.pruneEvery() != null) {
            schedulePruning(config.pruneEvery(), config.expiry());
        }
    }

    private static String randomName() {
        byte[] name = new byte[8];
        new SecureRandom().nextBytes(name);
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

    Envelope envelope() {
        return envelope;
    }

    DownstreamKeys downstreamKeys() {
        return downstreamKeys;
    }

    Settler settler() {
        return settler;
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

    @Override
    public Claim begin(Intent intent) {
        Claiming claiming = new Claiming(intent);
        while (true) {
            Next next = claiming.askBlocking();
            if (next instanceof Next.Done done) {
                return done.claim();
            }
            if (next instanceof Next.Pause pause) {
                try {
                    timer.pause(pause.length());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return claiming.refused(new Refusal.InProgress(RETRY_AFTER));
                }
            }
        }
    }

    @Override
    public CompletionStage<Claim> beginAsync(Intent intent) {
        Claiming claiming = new Claiming(intent);
        waiting.add(claiming);
        ask(claiming);
        return claiming.result;
    }

    private void ask(Claiming claiming) {
        if (claiming.result.isDone()) {
            waiting.remove(claiming);
            return;
        }
        claiming.ask().whenComplete((next, failure) -> {
            if (next instanceof Next.Pause pause) {
                timer.after(pause.length(), () -> ask(claiming));
            } else if (next instanceof Next.AskAgain) {
                ask(claiming);
            } else {
                waiting.remove(claiming);
                if (next instanceof Next.Done done) {
                    if (!claiming.result.complete(done.claim()) && done.claim() instanceof Claim.Granted granted) {
                        // The caller has cancelled or run out of patience: nobody is left to execute.
                        granted.attempt().settle(new Outcome.NotExecuted("nobody_waited"));
                    }
                } else {
                    claiming.result.completeExceptionally(Faults.ofStore(failure));
                }
            }
        });
    }

    /** What to do after one answer of the store. */
    private sealed interface Next {

        record Done(Claim claim) implements Next {}

        /** Somebody else is at it: ask again after this. */
        record Pause(Duration length) implements Next {}

        /** The record's fingerprint is another version of the same meaning: ask again with that one. */
        record AskAgain() implements Next {}
    }

    /** One caller's claim, over as many questions to the store as its waiting takes. */
    private final class Claiming {

        private final Intent intent;
        private final Waiting patience;
        private final CompletableFuture<Claim> result = new CompletableFuture<>();
        private ClaimRequest request;
        private long askedNanos;

        Claiming(Intent intent) {
            this.intent = intent;
            Operation operation = intent.operation();
            this.patience = new Waiting(operation.maxWait(), timer.nanos());
            this.request = new ClaimRequest(
                    intent.identity(),
                    operation.name(),
                    intent.fingerprint(),
                    operation.lease(),
                    operation.reexecutable(),
                    instance + "-" + claims.incrementAndGet());
        }

        Next askBlocking() {
            try {
                return decide(Faults.await(claim()));
            } catch (StoreException fault) {
                throw told(fault);
            }
        }

        CompletionStage<Next> ask() {
            return claim().handle((answer, failure) -> {
                if (answer == null) {
                    throw told(Faults.ofStore(failure));
                }
                return decide(answer);
            });
        }

        private CompletionStage<ClaimAnswer> claim() {
            if (closed) {
                return CompletableFuture.failedFuture(new StoreException(CLOSED));
            }
            askedNanos = timer.nanos();
            try {
                return store.claim(request);
            } catch (RuntimeException | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }

        private StoreException told(StoreException fault) {
            listeners.tell(new Event.StoreFault(request.operation(), request.identity(), "claim", fault));
            return fault;
        }

        private Next decide(ClaimAnswer answer) {
            if (answer instanceof ClaimAnswer.Granted granted) {
                return new Next.Done(granted(granted));
            }
            if (answer instanceof ClaimAnswer.Recorded recorded) {
                Envelope.Opened opened = envelope.open(request.identity(), responseOf(recorded.record()));
                listeners.tell(new Event.Replayed(request.operation(), request.identity()));
                return new Next.Done(new Claim.Recorded(opened.response(), opened.failure()));
            }
            if (answer instanceof ClaimAnswer.Mismatch mismatch) {
                if (!request.fingerprint().matches(mismatch.record().fingerprint())
                        && intent.sameAs().test(mismatch.record().fingerprint())) {
                    request = request.withFingerprint(mismatch.record().fingerprint());
                    return new Next.AskAgain();
                }
                return new Next.Done(refused(new Refusal.Mismatch()));
            }
            if (answer instanceof ClaimAnswer.Unknown unknown) {
                return new Next.Done(
                        refused(new Refusal.OutcomeUnknown(unknown.record().fence())));
            }
            return patience.next(timer.nanos())
                    .<Next>map(Next.Pause::new)
                    .orElseGet(() -> new Next.Done(refused(new Refusal.InProgress(RETRY_AFTER))));
        }

        private Claim granted(ClaimAnswer.Granted granted) {
            Lease lease = granted.lease();
            listeners.tell(
                    new Event.Granted(request.operation(), request.identity(), lease.fence(), granted.attempts() > 1));
            LiveAttempt attempt = new LiveAttempt(Engine.this, intent.operation(), lease, askedNanos);
            if (closed || !attempt.stillOwner()) {
                throw notStarted(attempt);
            }
            attempt.startHeartbeat();
            return new Claim.Granted(attempt);
        }

        /** Gives back a right to execute that came too late, while it is certain that nothing was executed. */
        private StoreException notStarted(LiveAttempt attempt) {
            attempt.settle(new Outcome.NotExecuted("granted_too_late"));
            return new StoreException(
                    closed
                            ? CLOSED
                            : "the store answered a claim of " + request.identity()
                                    + " after its lease had ended: nothing was executed");
        }

        Refusal refused(Refusal refusal) {
            String operation = request.operation();
            Identity identity = request.identity();
            if (refusal instanceof Refusal.OutcomeUnknown unknown) {
                listeners.tell(new Event.RefusedUnknown(operation, identity, unknown.fence()));
            } else if (refusal instanceof Refusal.Mismatch) {
                listeners.tell(new Event.RefusedMismatch(operation, identity));
            } else {
                listeners.tell(new Event.RefusedInProgress(operation, identity));
            }
            return refusal;
        }
    }

    private static Response responseOf(StoredRecord record) {
        if (record.response() == null) {
            throw new StoreException("the store says that " + record.identity() + " is completed, but has no response");
        }
        return record.response();
    }

    @Override
    public Optional<StoredRecord> find(Identity identity) {
        return Faults.await(store.find(identity)).map(record -> {
            if (record.response() == null) {
                return record;
            }
            return record.withResponse(
                    envelope.open(identity, record.response()).response());
        });
    }

    @Override
    public Reconciliation settle(Operation operation, Identity identity, Verdict verdict, Evidence evidence) {
        if (!(store instanceof ReconcilableStore reconcilable)) {
            throw new UnsupportedOperationException("this store cannot settle unknown outcomes");
        }
        Optional<StoredRecord> found = find(identity);
        if (found.isEmpty()) {
            return new Reconciliation.NoSuchRecord();
        }
        StoredRecord record = found.get();
        if (record.state() != State.UNKNOWN) {
            return new Reconciliation.NotUnknown(record);
        }
        Outcome outcome = verdict instanceof Verdict.Happened happened
                ? new Outcome.Completed(envelope.seal(identity, happened.response(), false))
                : new Outcome.NotExecuted(evidence.source());
        SettleAnswer answer =
                Faults.await(reconcilable.reconcile(record.lease(), outcome, evidence, operation.retention()));
        if (answer instanceof SettleAnswer.Refused) {
            return find(identity)
                    .<Reconciliation>map(Reconciliation.NotUnknown::new)
                    .orElseGet(Reconciliation.NoSuchRecord::new);
        }
        listeners.tell(new Event.Reconciled(
                record.operation(), identity, record.fence(), Transitions.stateOf(outcome), evidence));
        return new Reconciliation.Accepted();
    }

    @Override
    public long prune(Expiry expiry) {
        long all = 0;
        int batch;
        do {
            batch = Faults.await(store.prune(PRUNE_BATCH, expiry));
            all += batch;
            listeners.tell(new Event.Pruned(batch, expiry));
        } while (batch == PRUNE_BATCH && !closed);
        return all;
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
        waiting.forEach(claiming -> claiming.result.completeExceptionally(new StoreException(CLOSED)));
        store.close();
    }
}

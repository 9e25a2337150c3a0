package dev.semel.internal;

import dev.semel.Codec;
import dev.semel.Event;
import dev.semel.Failures;
import dev.semel.Fingerprint;
import dev.semel.Lease;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.RunningAttempt;
import dev.semel.Settlement;
import dev.semel.Step;
import dev.semel.StepWork;
import dev.semel.spi.RenewAnswer;
import dev.semel.spi.StoredRecord;
import dev.semel.spi.Timer;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * An attempt and its heartbeat.
 *
 * <p>The lease is renewed three times in its length, so that two heartbeats may be lost. This process counts its lease
 * from before it asked, the store from when it answered: an attempt believes itself dead before the store does.
 */
final class LiveAttempt implements RunningAttempt {

    private static final int BEATS_PER_LEASE = 3;

    private final Engine engine;
    private final Operation operation;
    private final Lease lease;
    private final Fingerprint fingerprint;
    private final int number;
    private final Recovery recovery;
    private final long startedNanos;
    private final AtomicReference<@Nullable Outcome> declared = new AtomicReference<>();
    private final AtomicReference<@Nullable Outcome> settled = new AtomicReference<>();
    private volatile long ownedUntilNanos;
    private volatile boolean lost;
    private volatile Timer.Cancellable nextBeat = () -> {};
    private volatile Traces.OfExecution trace = Traces.OfExecution.NONE;

    LiveAttempt(Engine engine, Operation operation, StoredRecord granted, long claimedNanos) {
        this.engine = engine;
        this.operation = operation;
        this.lease = granted.lease();
        this.fingerprint = granted.fingerprint();
        this.number = granted.attempts();
        this.recovery = new Recovery(engine, granted, claimedNanos);
        this.startedNanos = engine.timer().nanos();
        this.ownedUntilNanos = ownedUntil(claimedNanos);
    }

    /** The right holds, and the caller is about to execute. */
    void begin(Traces.OfClaim claim) {
        trace = claim.granted(lease.fence());
        startHeartbeat();
    }

    private void startHeartbeat() {
        nextBeat = engine.timer().after(interval(), this::beat);
    }

    private long ownedUntil(long askedNanos) {
        return askedNanos + operation.lease().toNanos() - Engine.STORE_CLOCK_STEP_NANOS;
    }

    private Duration interval() {
        return Duration.ofNanos(operation.lease().toNanos() / BEATS_PER_LEASE);
    }

    private void beat() {
        if (settled.get() != null || engine.isClosed()) {
            return;
        }
        long askedNanos = engine.timer().nanos();
        Faults.staged(() -> engine.store().renew(lease, operation.lease())).whenComplete((renewal, failure) -> {
            if (renewal == RenewAnswer.LOST) {
                lose();
                return;
            }
            if (renewal == RenewAnswer.RENEWED) {
                ownedUntilNanos = ownedUntil(askedNanos);
            } else {
                engine.listeners()
                        .tell(new Event.StoreFault(
                                operation.name(), lease.identity(), "renew", Faults.ofStore(failure)));
            }
            if (settled.get() == null) {
                startHeartbeat();
            }
        });
    }

    @Override
    public Lease lease() {
        return lease;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public Operation operation() {
        return operation;
    }

    @Override
    public String downstreamKey(String purpose) {
        return engine.downstreamKeys().derive(lease.identity(), purpose);
    }

    @Override
    public String downstreamKey(String purpose, Duration honoured) {
        recovery.requireHonoured(purpose, honoured);
        return downstreamKey(purpose);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T step(Step step, Codec<T> codec, StepWork<T, E> work)
            throws E {
        return recovery.step(this, step, codec, work);
    }

    @Override
    public boolean stillOwner() {
        if (!lost && (settled.get() != null || engine.timer().nanos() - ownedUntilNanos >= 0)) {
            lost = true;
        }
        return !lost;
    }

    /** The store has said that the lease is somebody else's. */
    void lose() {
        lost = true;
    }

    @Override
    public void notExecuted(String reason) {
        declared.set(new Outcome.NotExecuted(reason));
    }

    @Override
    public void outcomeUnknown(String reason) {
        declared.set(new Outcome.Unknown(reason));
    }

    @Override
    public Optional<Outcome> declared() {
        return Optional.ofNullable(declared.get());
    }

    @Override
    public Entered enter() {
        return trace.enter();
    }

    @Override
    public CompletionStage<Settlement> settle(Outcome outcome) {
        return settle(outcome, false);
    }

    CompletionStage<Settlement> settle(Outcome outcome, boolean failure) {
        return engine.settler().settle(operation, lease, fingerprint, ended(outcome, failure), startedNanos);
    }

    /** Settles on the thread of a caller who waits for it. */
    Settlement settleAndWait(Outcome outcome, boolean failure) {
        return engine.settler().settleAndWait(operation, lease, fingerprint, ended(outcome, failure), startedNanos);
    }

    /** Ends the attempt here; what is to be written of it. */
    private Outcome ended(Outcome outcome, boolean failure) {
        Outcome said = declared.get();
        Outcome effective = recovery.believable(said == null ? outcome : said, failure);
        if (!settled.compareAndSet(null, effective) && !isLateAnswer(effective)) {
            throw new IllegalStateException("this attempt of " + lease.identity() + " is settled already");
        }
        nextBeat.cancel();
        trace.ended(Transitions.stateOf(effective), failure);
        if (effective instanceof Outcome.Completed completed) {
            Response sealed = engine.envelope().seal(lease.identity(), completed.response(), failure, trace.origin());
            return new Outcome.Completed(sealed);
        }
        return effective;
    }

    /** Whether this answer comes after somebody had given up on it; it is accepted once. */
    private boolean isLateAnswer(Outcome outcome) {
        Outcome before = settled.get();
        return before instanceof Outcome.Unknown
                && outcome instanceof Outcome.Completed
                && settled.compareAndSet(before, outcome);
    }

    @Override
    public Failures judge(Throwable failure) {
        if (failure instanceof NotExecutedException) {
            return Failures.RETRY;
        }
        if (OutcomeUnknownException.isIn(failure)
                || Faults.isIn(failure, InterruptedException.class)
                || !(failure instanceof Exception exception)) {
            return Failures.RECONCILE;
        }
        return operation.rule().judge(exception).orElse(operation.failures());
    }
}

package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Failures;
import dev.semel.Fingerprint;
import dev.semel.Lease;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.Step;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.RenewAnswer;
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

    private final Context context;
    private final Settler settler;
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

    LiveAttempt(Context context, Settler settler, Operation operation, StoredRecord granted, long claimedNanos) {
        this.context = context;
        this.settler = settler;
        this.operation = operation;
        this.lease = granted.lease();
        this.fingerprint = granted.fingerprint();
        this.number = granted.attempts();
        this.recovery = new Recovery(context, granted, claimedNanos);
        this.startedNanos = context.timer().nanos();
        this.ownedUntilNanos = ownedUntil(claimedNanos);
    }

    /** The right holds, and the caller is about to execute. */
    void begin(Traces.OfClaim claim) {
        trace = claim.granted(lease.fence());
        startHeartbeat();
    }

    private void startHeartbeat() {
        nextBeat = context.timer().after(interval(), this::beat);
    }

    private long ownedUntil(long askedNanos) {
        return askedNanos + operation.lease().toNanos() - Context.STORE_CLOCK_STEP_NANOS;
    }

    private Duration interval() {
        return Duration.ofNanos(operation.lease().toNanos() / BEATS_PER_LEASE);
    }

    private void beat() {
        if (settled.get() != null || context.isClosed()) {
            return;
        }
        long askedNanos = context.timer().nanos();
        Faults.staged(() -> context.store().renew(lease, operation.lease())).whenComplete((renewal, failure) -> {
            if (renewal == RenewAnswer.LOST) {
                lose();
                return;
            }
            if (renewal == RenewAnswer.RENEWED) {
                ownedUntilNanos = ownedUntil(askedNanos);
            } else {
                context.listeners()
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
        return context.downstreamKeys().derive(lease.identity(), purpose);
    }

    @Override
    public String downstreamKey(String purpose, Duration honoured) {
        recovery.requireHonoured(purpose, honoured);
        return downstreamKey(purpose);
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T stepChecked(
            Step step, Codec<T> codec, Step.CheckedWork<T, E> work) throws E {
        return recovery.step(this, step, codec, work);
    }

    @Override
    public boolean stillOwner() {
        if (!lost && (settled.get() != null || context.timer().nanos() - ownedUntilNanos >= 0)) {
            lost = true;
        }
        return !lost;
    }

    /** Marks the lease as lost, by the store's answer. */
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
        return settler.settle(operation, lease, fingerprint, ended(outcome, failure), startedNanos);
    }

    @Override
    public Settlement settleAndWait(Outcome outcome) {
        return settleAndWait(outcome, false);
    }

    Settlement settleAndWait(Outcome outcome, boolean failure) {
        return settler.settleAndWait(operation, lease, fingerprint, ended(outcome, failure), startedNanos);
    }

    /** Ends the attempt here; what is to be written of it. */
    private Outcome ended(Outcome outcome, boolean failure) {
        Outcome said = declared.get();
        Outcome effective = recovery.unknownIfStepInDoubt(said == null ? outcome : said, failure);
        if (!settled.compareAndSet(null, effective) && !isLateAnswer(effective)) {
            throw new IllegalStateException("this attempt of " + lease.identity() + " is settled already");
        }
        nextBeat.cancel();
        trace.ended(Transitions.stateOf(effective), failure);
        if (effective instanceof Outcome.Completed completed) {
            Response sealed = context.envelope().seal(lease.identity(), completed.response(), failure, trace.origin());
            return new Outcome.Completed(sealed);
        }
        return effective;
    }

    /** Whether this answer arrives after the attempt was settled as unknown; it is accepted once. */
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

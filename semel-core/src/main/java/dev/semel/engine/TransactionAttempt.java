package dev.semel.engine;

import dev.semel.Codec;
import dev.semel.Failures;
import dev.semel.Intent;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Step;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.StoreTransaction;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An attempt within the caller's transaction: used by the thread that holds the connection, and without a heartbeat,
 * since no other caller can see its claim before the transaction ends.
 */
final class TransactionAttempt implements RunningAttempt {

    private final Context context;
    private final LostUnknowns lostUnknowns;
    private final Intent intent;
    private final Operation operation;
    private final StoredRecord granted;
    private Lease lease;
    private final StoreTransaction transaction;
    private final Transacting owner;
    private final Traces.OfExecution trace;
    private final long startedNanos;
    private @Nullable Outcome declared;
    private LostUnknowns.@Nullable Lost announced;
    private boolean settled;

    TransactionAttempt(
            Context context,
            LostUnknowns lostUnknowns,
            Intent intent,
            StoredRecord granted,
            StoreTransaction transaction,
            Transacting owner,
            Traces.OfClaim claim) {
        this.context = context;
        this.lostUnknowns = lostUnknowns;
        this.intent = intent;
        this.operation = intent.operation();
        this.granted = granted;
        this.lease = granted.lease();
        this.transaction = transaction;
        this.owner = owner;
        this.trace = claim.granted(lease.fence());
        this.startedNanos = context.timer().nanos();
    }

    @Override
    public Lease lease() {
        return lease;
    }

    /** Whether nothing is claimed yet, so that only a rollback of the transaction undoes the work. */
    boolean isLate() {
        return transaction instanceof LateTransaction late && late.isLate();
    }

    @Override
    public int number() {
        return granted.attempts();
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
        throw new IllegalStateException("the key for '" + purpose + "': a transaction that was rolled back leaves no"
                + " trace of when it sent a key, so its age is not known; use Semel.execute");
    }

    @Override
    public <T extends @Nullable Object, E extends Exception> T stepChecked(
            Step step, Codec<T> codec, Step.CheckedWork<T, E> work) {
        throw new IllegalStateException("step '" + step.name()
                + "': a transaction has no steps, since all of it commits or none; steps are for Semel.execute");
    }

    @Override
    public boolean stillOwner() {
        return !settled;
    }

    @Override
    public void notExecuted(String reason) {
        declared = new Outcome.NotExecuted(reason);
    }

    @Override
    public void outcomeUnknown(String reason) {
        declared = new Outcome.Unknown(reason);
        owner.unsure(this);
    }

    /** The unknown outcome that this attempt ended with, or that its code has declared before it was settled. */
    LostUnknowns.@Nullable Lost unknown() {
        if (!settled && declared instanceof Outcome.Unknown unknown) {
            announced = lostUnknowns.announce(intent, granted, unknown);
        }
        return announced;
    }

    /** An exception undoes the transaction, and with it whatever had been done; unless the code itself is not sure. */
    @Override
    public Failures judge(Throwable failure) {
        return OutcomeUnknownException.isIn(failure) ? Failures.RECONCILE : Failures.RETRY;
    }

    @Override
    public Optional<Outcome> declared() {
        return Optional.ofNullable(declared);
    }

    @Override
    public Entered enter() {
        return trace.enter();
    }

    @Override
    public CompletionStage<Settlement> settle(Outcome outcome) {
        return CompletableFuture.completedFuture(settleNow(outcome));
    }

    @Override
    public Settlement settleAndWait(Outcome outcome) {
        return settleNow(outcome);
    }

    /** Settles what a failure of the code means, unless the code has said it itself. */
    Settlement settleFailure(Throwable failure) {
        String reason = failure.getClass().getSimpleName();
        return settleNow(
                judge(failure) == Failures.RECONCILE ? new Outcome.Unknown(reason) : new Outcome.NotExecuted(reason));
    }

    Settlement settleNow(Outcome outcome) {
        if (settled) {
            throw new IllegalStateException("this attempt of " + lease.identity() + " is settled already");
        }
        settled = true;
        Outcome effective = declared == null ? outcome : declared;
        if (effective instanceof Outcome.Unknown unknown) {
            announced = lostUnknowns.announce(intent, granted, unknown);
            owner.unsure(this);
        }
        trace.ended(Transitions.stateOf(effective), false);
        long endedNanos = context.timer().nanos();
        try {
            write(effective);
        } catch (LateTransaction.NotRecordedException notRecorded) {
            return new Settlement.Unconfirmed(notRecorded);
        } catch (RuntimeException | Error e) {
            StoreException fault = Faults.ofStore(e);
            context.listeners().tell(new Event.StoreFault(operation.name(), lease.identity(), "settle", fault));
            return new Settlement.Unconfirmed(fault);
        }
        if (effective instanceof Outcome.Unknown unknown) {
            context.unknownLog().becameUnknown(operation.name(), lease, unknown.reason());
        }
        context.listeners()
                .tell(new Event.Settled(
                        operation.name(),
                        lease.identity(),
                        lease.fence(),
                        Transitions.stateOf(effective),
                        Duration.ofNanos(endedNanos - startedNanos),
                        Duration.ofNanos(context.timer().nanos() - endedNanos)));
        return new Settlement.Settled(effective);
    }

    private void write(Outcome outcome) {
        if (outcome instanceof Outcome.NotExecuted) {
            transaction.undoClaim();
            return;
        }
        Outcome written = outcome;
        if (outcome instanceof Outcome.Completed completed) {
            written = new Outcome.Completed(
                    context.envelope().seal(lease.identity(), completed.response(), false, trace.origin()));
        } else {
            transaction.undoWork();
        }
        long askedNanos = context.timer().nanos();
        if (transaction.settle(lease, written, operation.retention()) instanceof SettleAnswer.Refused) {
            throw new StoreException("the claim of " + lease.identity()
                    + " is gone from its own transaction: the work has rolled it back or changed the record");
        }
        if (transaction instanceof LateTransaction late) {
            lease = late.recorded(lease);
        }
        if (written instanceof Outcome.Completed completed) {
            owner.completed(new NearReplays.Completion(
                    lease.identity(),
                    granted.fingerprint(),
                    completed.response(),
                    NearReplays.justNow(operation.name(), lease.fence(), operation.retention()),
                    askedNanos));
        }
    }
}

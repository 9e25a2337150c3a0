package dev.semel.engine;

import dev.semel.Fingerprint;
import dev.semel.Lease;
import dev.semel.Operation;
import dev.semel.Outcome;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.Backoff;
import dev.semel.reconcile.StoredRecord;
import dev.semel.spi.RequestVerbs.SettleAnswer;
import dev.semel.spi.Transitions;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Writes the outcome of an attempt, and does not give up easily: the effect may have happened, and the record must not
 * be lost after it.
 *
 * <ol>
 *   <li>The write is tried a few times while the caller waits. A repetition is safe: it carries the fence, and a write
 *       whose answer was lost is recognized by what is on record.
 *   <li>Then the caller gets {@link Settlement.Unconfirmed}, and the writing goes on in the background. Meanwhile the
 *       lease may expire and the record become unknown; the late answer of the same fence still settles it.
 *   <li>What cannot be written at all is left to become unknown. The key is never released because a write failed.
 * </ol>
 */
final class Settler {

    static final int FOREGROUND_TRIES = 3;

    /** With its jitter this goes on for a quarter to half an hour, longer than most failovers and restarts take. */
    static final int ALL_TRIES = 360;

    static final Backoff BACKOFF = new Backoff(Duration.ofMillis(50), Duration.ofSeconds(5));

    /** Responses kept in memory for background writing are bounded: past this, records are left to become unknown. */
    static final int MOST_IN_BACKGROUND = 1000;

    private final Context context;
    private final Semaphore background = new Semaphore(MOST_IN_BACKGROUND);
    private final Set<Writing> awaited = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    Settler(Context context) {
        this.context = context;
    }

    /** The stage never fails. */
    CompletionStage<Settlement> settle(
            Operation operation, Lease lease, Fingerprint fingerprint, Outcome outcome, long startedNanos) {
        Writing writing = new Writing(operation, lease, fingerprint, outcome, startedNanos);
        awaited.add(writing);
        writing.tryOnce(1);
        return writing.result;
    }

    /** The same for a caller that waits. */
    Settlement settleAndWait(
            Operation operation, Lease lease, Fingerprint fingerprint, Outcome outcome, long startedNanos) {
        Writing writing = new Writing(operation, lease, fingerprint, outcome, startedNanos);
        writing.tryFirst();
        return writing.result.join();
    }

    /** Completes every settlement that is still awaited as unconfirmed: it is not tried again. */
    void close() {
        closed = true;
        StoreException fault = new StoreException("the engine was closed before the store confirmed");
        awaited.forEach(writing -> writing.finish(new Settlement.Unconfirmed(fault)));
    }

    private final class Writing {

        private final Operation operation;
        private final Lease lease;
        private final Fingerprint fingerprint;
        private final Outcome outcome;
        private final long startedNanos;
        private final long endedNanos = context.timer().nanos();
        private final CompletableFuture<Settlement> result = new CompletableFuture<>();

        Writing(Operation operation, Lease lease, Fingerprint fingerprint, Outcome outcome, long startedNanos) {
            this.operation = operation;
            this.lease = lease;
            this.fingerprint = fingerprint;
            this.outcome = outcome;
            this.startedNanos = startedNanos;
        }

        void tryOnce(int number) {
            long askedNanos = number == 1 ? endedNanos : context.timer().nanos();
            ask().whenComplete((settled, failure) -> {
                if (settled == null) {
                    failed(number, failure);
                } else {
                    answered(number, askedNanos, settled);
                }
            });
        }

        /** On the thread of a caller that waits: where the store answers, nothing is left that is awaited. */
        void tryFirst() {
            SettleAnswer settled;
            try {
                settled =
                        Faults.answered(() -> context.store().blocking().settle(lease, outcome, operation.retention()));
            } catch (StoreException fault) {
                awaited.add(this);
                failed(1, fault);
                return;
            }
            answered(1, endedNanos, settled);
        }

        private CompletionStage<SettleAnswer> ask() {
            return Faults.staged(() -> context.store().settle(lease, outcome, operation.retention()));
        }

        private void answered(int number, long askedNanos, SettleAnswer answer) {
            if (number > FOREGROUND_TRIES) {
                background.release();
            }
            Duration execution = Duration.ofNanos(endedNanos - startedNanos);
            Duration settling = Duration.ofNanos(context.timer().nanos() - endedNanos);
            if (answer instanceof SettleAnswer.Settled || isOnRecord((SettleAnswer.Refused) answer)) {
                keepNear(askedNanos, answer);
                State to = Transitions.stateOf(outcome);
                if (outcome instanceof Outcome.Unknown unknown && isOwn(answer, unknown)) {
                    context.unknownLog().becameUnknown(operation.name(), lease, unknown.reason());
                }
                context.listeners()
                        .tell(new Event.Settled(
                                operation.name(), lease.identity(), lease.fence(), to, execution, settling));
                finish(new Settlement.Settled(outcome));
            } else {
                context.listeners()
                        .tell(new Event.LeaseLost(
                                operation.name(), lease.identity(), lease.fence(), execution, settling));
                finish(new Settlement.LeaseLost());
            }
        }

        /** Before the caller gets its answer, so that the next request finds it. */
        private void keepNear(long askedNanos, SettleAnswer answer) {
            if (outcome instanceof Outcome.Completed completed) {
                context.near()
                        .keep(new NearReplays.Completion(
                                lease.identity(), fingerprint, completed.response(), recording(answer), askedNanos));
            }
        }

        private Claim.Recording recording(SettleAnswer answer) {
            if (answer instanceof SettleAnswer.Refused refused) {
                return refused.current()
                        .map(NearReplays::of)
                        .orElseGet(() -> NearReplays.justNow(operation.name(), lease.fence(), Duration.ZERO));
            }
            return NearReplays.justNow(operation.name(), lease.fence(), operation.retention());
        }

        /** Whether an earlier try of ours was written and only its answer lost. */
        private boolean isOnRecord(SettleAnswer.Refused refused) {
            StoredRecord current = refused.current().orElse(null);
            return current != null
                    && current.fence() == lease.fence()
                    && current.state() == Transitions.stateOf(outcome)
                    && (!(outcome instanceof Outcome.Completed completed)
                            || completed.response().equals(current.response()));
        }

        /** Whether this settlement made the record unknown, rather than a claim or a sweep that noticed an expired lease. */
        private boolean isOwn(SettleAnswer answer, Outcome.Unknown unknown) {
            return !(answer instanceof SettleAnswer.Refused refused)
                    || refused.current()
                            .map(current -> unknown.reason().equals(current.reason()))
                            .orElse(false);
        }

        void finish(Settlement settlement) {
            awaited.remove(this);
            result.complete(settlement);
        }

        private void failed(int number, @Nullable Throwable failure) {
            StoreException fault = Faults.ofStore(failure);
            context.listeners().tell(new Event.StoreFault(operation.name(), lease.identity(), "settle", fault));
            if (closed) {
                finish(new Settlement.Unconfirmed(fault));
                return;
            }
            if (number == FOREGROUND_TRIES) {
                finish(new Settlement.Unconfirmed(fault));
                if (!background.tryAcquire()) {
                    return;
                }
            }
            if (number == ALL_TRIES) {
                background.release();
                return;
            }
            try {
                context.timer().after(BACKOFF.delay(number - 1), () -> {
                    if (!closed) {
                        tryOnce(number + 1);
                    }
                });
            } catch (RuntimeException timerIsGone) {
                finish(new Settlement.Unconfirmed(fault));
            }
        }
    }
}

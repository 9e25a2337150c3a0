package dev.semel.engine;

import dev.semel.Identity;
import dev.semel.Intent;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.adapter.Claim;
import dev.semel.adapter.RunningAttempt.Settlement;
import dev.semel.reconcile.StoredRecord;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Makes claims outside of a transaction: on the caller's thread, or without blocking it. */
final class Claims {

    private final Context context;
    private final Settler settler;
    private final LostUnknowns lostUnknowns;
    private final Set<Claiming> waiting = ConcurrentHashMap.newKeySet();

    Claims(Context context, Settler settler, LostUnknowns lostUnknowns) {
        this.context = context;
        this.settler = settler;
        this.lostUnknowns = lostUnknowns;
    }

    Claim begin(Intent intent) {
        Traces.OfClaim trace = context.traces().claim(intent);
        try {
            Claim known = context.answerNear(intent, trace);
            return known == null ? claim(intent, trace) : known;
        } catch (Throwable failure) {
            trace.failed(failure);
            throw failure;
        }
    }

    private Claim claim(Intent intent, Traces.OfClaim trace) {
        Claiming claiming = claiming(intent, trace);
        while (true) {
            Claiming.Next next = claiming.askBlocking(context.store().blocking()::claim);
            if (next instanceof Claiming.Next.Done done) {
                return done.claim();
            }
            if (next instanceof Claiming.Next.Pause pause) {
                try {
                    context.timer().pause(pause.length());
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    return claiming.refusedInProgress();
                }
            }
        }
    }

    CompletionStage<Claim> beginAsync(Intent intent) {
        Traces.OfClaim trace = context.traces().claim(intent);
        Claim known;
        try {
            known = context.answerNear(intent, trace);
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
        claiming.ask(context.store()::claim).whenComplete((next, failure) -> {
            if (next instanceof Claiming.Next.Pause pause) {
                context.timer().after(pause.length(), () -> ask(claiming));
            } else if (next instanceof Claiming.Next.AskAgain) {
                ask(claiming);
            } else {
                waiting.remove(claiming);
                if (next instanceof Claiming.Next.Done done) {
                    if (!claiming.result().complete(done.claim()) && done.claim() instanceof Claim.Granted granted) {
                        // The caller has cancelled or timed out: no caller is left to execute.
                        granted.attempt().settle(new Outcome.NotExecuted("caller_cancelled"));
                    }
                } else {
                    claiming.result().completeExceptionally(Faults.ofStore(failure));
                }
            }
        });
    }

    /** Fails every claim that still waits. */
    void close() {
        waiting.forEach(claiming -> claiming.result().completeExceptionally(new StoreException(Context.CLOSED)));
    }

    private Claiming claiming(Intent intent, Traces.OfClaim trace) {
        return new Claiming(context, lostUnknowns, intent, trace, new Claiming.Target() {
            @Override
            public Claim.Granted granted(StoredRecord granted, long askedNanos) {
                LiveAttempt attempt = new LiveAttempt(context, settler, intent.operation(), granted, askedNanos);
                if (context.isClosed() || !attempt.stillOwner()) {
                    throw notStarted(attempt);
                }
                attempt.begin(trace);
                return new Claim.Granted(attempt);
            }

            @Override
            public void settle(StoredRecord granted, Outcome.Unknown outcome) {
                CompletionStage<Settlement> unused = settler.settle(
                        intent.operation(),
                        granted.lease(),
                        granted.fingerprint(),
                        outcome,
                        context.timer().nanos());
            }

            @Override
            public void completed(NearReplays.Completion completion) {
                context.near().keep(completion);
            }
        });
    }

    /** Gives back a right to execute that was granted too late, while it is certain that nothing was executed. */
    private StoreException notStarted(LiveAttempt attempt) {
        Identity identity = attempt.lease().identity();
        attempt.settle(new Outcome.NotExecuted("granted_too_late"));
        return new StoreException(
                context.isClosed()
                        ? Context.CLOSED
                        : "the store answered a claim of " + identity
                                + " after its lease had ended: nothing was executed");
    }
}

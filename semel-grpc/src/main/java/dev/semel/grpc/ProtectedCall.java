package dev.semel.grpc;

import dev.semel.Attempt;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One call whose handler runs under a claim, from the claim to the last byte.
 *
 * <ol>
 *   <li>It ends once: when the handler closes the call, when the handler throws, or when the time to answer is over. The first
 *       of these settles. An answer that comes after the time was over settles the unknown outcome.
 *   <li>Only then is anything sent. What is sent is made of the bytes that are recorded, like every replay.
 *   <li>The handler runs in a context that the client cannot cancel, neither by hand nor by its deadline.
 *   <li>An answer that should have been recorded and may not have been is not sent: the client would hold a final answer that
 *       no retry gets again. It gets the answer for an unknown outcome instead.
 * </ol>
 */
final class ProtectedCall<ReqT, RespT> {

    static final Context.Key<Attempt> ATTEMPT = Context.key("dev.semel.Attempt");

    private static final System.Logger LOG = System.getLogger("dev.semel.grpc");

    private enum Phase {
        OPEN,
        /** Answered as unknown; the handler may still say what happened. */
        GIVEN_UP,
        ENDED
    }

    private final RunningAttempt attempt;
    private final Judge judge;
    private final ServerCall<ReqT, RespT> real;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPEN);
    private final TimeLimits limits;
    private final CompletableFuture<Settlement> givenUp = new CompletableFuture<>();
    private volatile @Nullable Future<?> timeLimit;
    private volatile @Nullable Thread handling;
    private ServerCall.@Nullable Listener<ReqT> handler;
    private boolean clientGone;
    private boolean sent;

    ProtectedCall(RunningAttempt attempt, CallPolicy policy, ServerCall<ReqT, RespT> real, TimeLimits limits) {
        this.attempt = attempt;
        this.judge = new Judge(attempt, policy);
        this.real = real;
        this.limits = limits;
    }

    /** Runs the handler on the calling thread. */
    @SuppressWarnings("CatchingUnchecked")
    void handle(ServerCallHandler<ReqT, RespT> next, Metadata headers, ReqT request) {
        timeLimit = limits.after(judge.policy().answerWithin(), this::giveUp);
        Context context = Context.current().fork().withValue(ATTEMPT, attempt);
        handling = Thread.currentThread();
        RunningAttempt.Entered entered = attempt.enter();
        Context previous = context.attach();
        try {
            ServerCall.Listener<ReqT> started = next.startCall(new HeldCall<>(real, this::closed), headers);
            synchronized (this) {
                handler = started;
            }
            started.onReady();
            started.onMessage(request);
            started.onHalfClose();
        } catch (Throwable e) {
            // All of them: languages other than Java throw checked exceptions from anywhere.
            failed(e);
        } finally {
            context.detach(previous);
            entered.leave();
            handling = null;
        }
    }

    /** The handler has closed the call. */
    private void closed(Reply produced) {
        if (phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
            settle(judge.answered(produced));
        } else if (phase.compareAndSet(Phase.GIVEN_UP, Phase.ENDED)) {
            settleLate(produced);
        } else {
            throw new IllegalStateException("the call is closed already");
        }
    }

    private void failed(Throwable failure) {
        if (phase.compareAndSet(Phase.OPEN, Phase.ENDED)) {
            settle(judge.failed(failure));
        } else {
            LOG.log(Level.ERROR, "a handler of " + name() + " failed after its call had ended", failure);
        }
        if (failure instanceof Error error) {
            throw error;
        }
    }

    private void giveUp() {
        if (!phase.compareAndSet(Phase.OPEN, Phase.GIVEN_UP)) {
            return;
        }
        LOG.log(Level.ERROR, "{0} was not answered in time; its outcome becomes unknown", name());
        CompletionStage<Void> unused = submitted(new Outcome.Unknown("no_answer"))
                .thenAccept(settlement -> {
                    send(Refusals.outcomeUnknown());
                    givenUp.complete(settlement);
                });
    }

    /** Settles the unknown outcome by an answer that came after all, for the next retry. */
    private void settleLate(Reply produced) {
        Outcome late = judge.ofLateAnswer(produced);
        if (late == null) {
            LOG.log(Level.WARNING, "a handler of {0} answered too late, and without a result", name());
            return;
        }
        CompletionStage<Void> unused = givenUp.thenCompose(unknown -> submitted(late))
                .thenAccept(settlement -> {
                    if (!(settlement instanceof Settlement.Settled)) {
                        LOG.log(Level.WARNING, "the late answer of {0} was not recorded", name());
                    }
                });
    }

    private void settle(Judge.Judgement judgement) {
        Future<?> limit = timeLimit;
        if (limit != null) {
            limit.cancel(false);
        }
        if (Thread.currentThread() == handling) {
            deliver(judgement, written(judgement.outcome()));
        } else {
            CompletionStage<Void> unused =
                    submitted(judgement.outcome()).thenAccept(settlement -> deliver(judgement, settlement));
        }
    }

    private CompletionStage<Settlement> submitted(Outcome outcome) {
        try {
            return attempt.settle(outcome);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(notSettled(e));
        }
    }

    private Settlement written(Outcome outcome) {
        try {
            return attempt.settleAndWait(outcome);
        } catch (RuntimeException e) {
            return notSettled(e);
        }
    }

    private Settlement notSettled(RuntimeException failure) {
        LOG.log(Level.ERROR, "the outcome of " + name() + " could not be settled", failure);
        return new Settlement.Unconfirmed(new StoreException("settling failed", failure));
    }

    private void deliver(Judge.Judgement judgement, Settlement settlement) {
        boolean confirmed = settlement instanceof Settlement.Settled;
        Outcome meant = settlement instanceof Settlement.Settled settled
                ? settled.outcome()
                : attempt.declared().orElse(judgement.outcome());
        if (!confirmed) {
            LOG.log(
                    Level.WARNING,
                    "the outcome of {0} was not confirmed: {1}",
                    name(),
                    settlement instanceof Settlement.Unconfirmed unconfirmed
                            ? unconfirmed.fault().toString()
                            : "the lease was lost");
        }
        if (!confirmed && meant instanceof Outcome.Completed) {
            send(Refusals.outcomeUnknown());
        } else {
            boolean asJudged = meant.getClass() == judgement.outcome().getClass();
            send(asJudged ? judgement.reply() : judgement.otherwise());
        }
    }

    private void send(Reply reply) {
        ReplySender.send(reply, real);
        ServerCall.Listener<ReqT> told = null;
        synchronized (this) {
            sent = true;
            if (clientGone) {
                told = handler;
            }
        }
        if (told != null) {
            told.onCancel();
        }
    }

    /**
     * The client has cancelled the call or its deadline is over. The handler gets the cancellation when it has answered: it would stop
     * on its way otherwise.
     */
    void cancelled() {
        ServerCall.Listener<ReqT> told = null;
        synchronized (this) {
            clientGone = true;
            if (sent) {
                told = handler;
            }
        }
        if (told != null) {
            told.onCancel();
        }
    }

    /** The client has got the answer. */
    void completed() {
        ServerCall.Listener<ReqT> told;
        synchronized (this) {
            told = handler;
        }
        if (told != null) {
            told.onComplete();
        }
    }

    private String name() {
        return attempt.operation().name() + " " + attempt.lease().identity();
    }
}

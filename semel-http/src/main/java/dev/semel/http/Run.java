package dev.semel.http;

import dev.semel.Attempt;
import dev.semel.Outcome;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.RunningAttempt.Settlement;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler under a claim. The transport settles it once with the {@link HandlerResult}, and sends nothing before
 * it has the {@link Ending}.
 *
 * <ol>
 *   <li>What a result means for the record and the client is decided here, for all transports alike.
 *   <li>A response that should have been recorded and may not have been is not sent: the client would hold a final answer
 *       that no retry gets again. It gets the answer for an unknown outcome instead.
 *   <li>A response that the policy does not record is sent even if the store did not confirm.
 * </ol>
 */
public final class Run {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    /** The reason on the record of a result that has no stored form, such as a status of four digits. */
    private static final String NOT_RECORDABLE = "not_recordable";

    private final RunningAttempt attempt;
    private final HandlerAttempt seen;
    private final RoutePolicy policy;
    private final Answers answers;
    private final Judge judge;
    private volatile boolean undetermined;
    private volatile @Nullable Outcome meant;
    private volatile boolean accepted;

    /** When the last outcome was about to be written; null where clients are not told until when it is kept. */
    private volatile @Nullable Instant writing;

    Run(RunningAttempt attempt, RoutePolicy policy, Answers answers) {
        this.attempt = attempt;
        this.seen = new HandlerAttempt(attempt);
        this.policy = policy;
        this.answers = answers;
        this.judge = new Judge(attempt, policy, answers);
    }

    /** The attempt as handlers see it. */
    public Attempt attempt() {
        return seen;
    }

    /** Makes this run current on the calling thread, for tracing: around the handler, on each thread that runs it. */
    public RunningAttempt.Entered enter() {
        return attempt.enter();
    }

    public RoutePolicy policy() {
        return policy;
    }

    /** Settles the run without blocking the calling thread for the store. The stage never fails. */
    public CompletionStage<Ending> settle(HandlerResult result) {
        Judge.Judgement judgement = judged(result);
        return submitted(judgement.outcome()).thenApply(settlement -> ending(judgement, settlement));
    }

    /** Settles the run like {@link #settle}, for a thread that waits for it: the store may write on the calling thread. */
    public Ending settleAndWait(HandlerResult result) {
        Judge.Judgement judgement = judged(result);
        return ending(judgement, written(judgement.outcome()));
    }

    /**
     * Settles a run that was {@link HandlerResult.Undetermined}, with the response that its handler produced after all. A
     * response that is to be recorded settles the outcome, for the next retry; any other leaves it unknown.
     *
     * @param body null when it is too large to be kept
     */
    public void settleLate(int status, Headers headers, @Nullable Body body) {
        settleLate(status, headers, body, Headers.NONE);
    }

    /** Like {@link #settleLate(int, Headers, Body)}, with trailers. */
    public void settleLate(int status, Headers headers, @Nullable Body body, Headers trailers) {
        Outcome outcome = undetermined ? judge.ofLateResponse(status, headers, body, trailers) : null;
        if (outcome == null) {
            LOG.log(Level.WARNING, "a handler of {0} answered after its request had ended", name());
            return;
        }
        Judge.Judgement judgement = new Judge.Judgement(outcome, new Ending.AsProduced());
        CompletionStage<Ending> unused = submitted(outcome).thenApply(settlement -> ending(judgement, settlement));
    }

    private Judge.Judgement judged(HandlerResult result) {
        writing = answers.promise().now();
        if (result instanceof HandlerResult.Undetermined) {
            undetermined = true;
        }
        if (result instanceof HandlerResult.Unsupported) {
            // Whatever the handler declared: its work is rolled back.
            seen.notExecuted(Judge.UNSUPPORTED);
        }
        try {
            return judge.of(result);
        } catch (RuntimeException e) {
            if (policy.isInTransaction()) {
                throw e;
            }
            LOG.log(Level.ERROR, "the result of " + name() + " cannot be recorded; its outcome becomes unknown", e);
            return judge.of(new HandlerResult.Undetermined(NOT_RECORDABLE));
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

    private Ending ending(Judge.Judgement judgement, Settlement settlement) {
        accepted = settlement instanceof Settlement.Settled;
        Outcome effective = settlement instanceof Settlement.Settled settled
                ? settled.outcome()
                : seen.effective(judgement.outcome());
        meant = effective;
        if (!accepted) {
            LOG.log(
                    Level.WARNING,
                    "the outcome of {0} was not confirmed: {1}",
                    name(),
                    settlement instanceof Settlement.Unconfirmed unconfirmed
                            ? unconfirmed.fault().toString()
                            : "the lease was lost");
            if (effective instanceof Outcome.Completed) {
                return new Ending.Replacement(
                        policy.isInTransaction() ? answers.notConfirmed() : answers.outcomeUnknown());
            }
        }
        Headers promised =
                answers.promise().onFirst(effective, policy.operation().retention(), writing);
        boolean asJudged = effective.getClass() == judgement.outcome().getClass();
        return asJudged && judgement.whenSettled() instanceof Ending.Replacement replacement
                ? new Ending.Replacement(replacement.answer().replacing(promised))
                : new Ending.AsProduced(promised);
    }

    /** The outcome of a settled run, whether or not the store confirmed it. */
    @Nullable
    Outcome meant() {
        return meant;
    }

    /** Whether the transaction that this ran in has to commit. */
    boolean isToCommit() {
        return accepted && !(meant instanceof Outcome.NotExecuted);
    }

    /** The answer for a commit that the database may or may not have done. */
    Answer notConfirmed() {
        return answers.notConfirmed();
    }

    private String name() {
        return attempt.operation().name() + " " + attempt.lease().identity();
    }
}

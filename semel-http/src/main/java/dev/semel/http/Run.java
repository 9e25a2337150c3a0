package dev.semel.http;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt;
import dev.semel.adapter.Settlement;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of a handler under a claim. The transport tells it once how the handler ended, and sends what it then says,
 * not a byte before.
 *
 * <ol>
 *   <li>A response is recorded, or releases the key, or leaves the outcome unknown, as the route's policy reads it.
 *   <li>A response that should have been recorded and may not have been is not sent: the client would hold a final answer
 *       that no retry gets again. It is told that the outcome is unknown.
 *   <li>A response that is not recorded by policy claims nothing, and is sent whatever the store says.
 *   <li>In a transaction what is not recorded is undone. A success that the policy undoes is not sent.
 * </ol>
 *
 * <p>Stages never fail.
 */
public final class Run {

    private static final int DEEPEST_CAUSE = 50;
    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final RunningAttempt attempt;
    private final HandlerAttempt seen;
    private final RoutePolicy policy;
    private final Answers answers;
    private volatile boolean lostTrack;
    private volatile @Nullable Outcome meant;
    private volatile boolean accepted;

    Run(RunningAttempt attempt, RoutePolicy policy, Answers answers) {
        this.attempt = attempt;
        this.seen = new HandlerAttempt(attempt);
        this.policy = policy;
        this.answers = answers;
    }

    /** What handlers may see and say of their own execution. */
    public Attempt attempt() {
        return seen;
    }

    /** Makes this run what the calling thread is at, for whoever traces: around the handler, on each thread that runs it. */
    public RunningAttempt.Entered enter() {
        return attempt.enter();
    }

    public RoutePolicy policy() {
        return policy;
    }

    /** How it ended, whether or not the store could be told. */
    @Nullable
    Outcome meant() {
        return meant;
    }

    /** Whether the transaction that this ran in holds something to keep. */
    boolean isToCommit() {
        return accepted && !(meant instanceof Outcome.NotExecuted);
    }

    /** The handler produced this response, and it is complete. */
    public CompletionStage<Ending> responded(int status, Headers headers, Body body) {
        return body.size() > policy.maxRecordedResponse()
                ? tooLarge(status, headers)
                : settle(
                        judge(status, headers),
                        RecordedResponse.of(status, headers, body),
                        "http_" + status,
                        new Ending.AsProduced());
    }

    /** The handler produces a response whose body is larger than what may be recorded; none of it has been sent yet. */
    public CompletionStage<Ending> tooLarge(int status, Headers headers) {
        return settle(
                judge(status, headers),
                RecordedResponse.notRetained(status, headers),
                "http_" + status,
                new Ending.AsProduced());
    }

    /**
     * The handler left the response to the transport, which would render an error page that nobody could replay. Where
     * the error is to be recorded, a problem of the same status is recorded and sent instead.
     *
     * @param headers what the handler had set
     */
    public CompletionStage<Ending> respondedWithError(int status, @Nullable String message, Headers headers) {
        String detail = message != null && !message.isBlank()
                ? message
                : "The request was answered with status " + status + ".";
        Answer problem = new Problem(ProblemCode.REQUEST_FAILED, status, detail).toAnswer();
        Headers all = problem.headers();
        for (Headers.Line line : headers) {
            if (problem.headers().first(line.name()).isEmpty()) {
                all = all.with(line.name(), line.value());
            }
        }
        return settleProblem(judge(status, headers), new Answer(status, all, problem.body()), "http_" + status);
    }

    /**
     * The handler failed with an exception. What it means is found in it or in any of its causes.
     *
     * @return {@link Ending.AsProduced} where nothing is recorded and the exception should take its usual course
     */
    public CompletionStage<Ending> failed(Throwable failure) {
        Throwable telling = telling(failure);
        Failures meaning = judged(() -> attempt.judge(telling));
        String reason = reasonOf(telling);
        if (telling instanceof NotExecutedException && meaning == Failures.RETRY) {
            log(System.Logger.Level.WARNING, "was not executed", telling);
            return settle(new Outcome.NotExecuted(reason), new Ending.Instead(answers.notExecuted()));
        }
        if (telling instanceof OutcomeUnknownException && meaning == Failures.RECONCILE) {
            // The engine warns of the record, once; here is why.
            log(System.Logger.Level.INFO, "has an unknown outcome", telling);
            return settle(new Outcome.Unknown(reason), new Ending.Instead(answers.outcomeUnknown()));
        }
        RefusedCall refused = RefusedCall.in(failure).orElse(null);
        if (refused != null) {
            return settleRefusal(refused, meaning, reason);
        }
        if (meaning == Failures.REPLAY) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the handler of " + name() + " failed; the failure is recorded",
                    failure);
        }
        Answer problem = Problem.of(
                        ProblemCode.REQUEST_FAILED,
                        "The request failed with an internal error, which is recorded:"
                                + " the same key will get this answer again.")
                .toAnswer();
        return settleProblem(meaning, problem, reason);
    }

    /**
     * The refused call itself had no effect, or is in doubt; what the handler did before it is judged like that before any
     * exception.
     */
    private CompletionStage<Ending> settleRefusal(RefusedCall refused, Failures meaning, String reason) {
        if (refused.leavesDoubt() && !policy.isInTransaction()) {
            return settle(new Outcome.Unknown(reason), new Ending.Instead(answers.outcomeUnknown()));
        }
        return switch (meaning) {
            case REPLAY -> settleProblem(meaning, refused.finalAnswer(answers), reason);
            case RETRY -> settle(new Outcome.NotExecuted(reason), new Ending.Instead(refused.answer(answers)));
            case RECONCILE -> settle(new Outcome.Unknown(reason), new Ending.Instead(answers.outcomeUnknown()));
        };
    }

    /** No handler was chosen, so that nothing was executed: the response is the transport's, or its framework's. */
    public CompletionStage<Ending> notRouted() {
        return settle(new Outcome.NotExecuted("not_routed"), new Ending.AsProduced());
    }

    /**
     * The handler failed with an exception that its framework took care of, leaving this response. Our own exceptions mean
     * what they say, whatever was answered. A response that says nothing at all is no answer to a failure: frameworks leave
     * one when they believe that the client has gone, for which they also take a broken connection to somebody else.
     *
     * <p>In a transaction the response is passed on, and everything is undone: the exception may have left the transaction
     * in a state in which it can no longer commit.
     *
     * @return {@link Ending.AsProduced} for an empty response where the exception should take its usual course
     */
    public CompletionStage<Ending> respondedToFailure(Throwable failure, int status, Headers headers, Body body) {
        return isNoAnswer(failure, status, headers, body)
                ? failed(failure)
                : saidBy(failure).orElseGet(() -> responded(status, headers, body));
    }

    /** Like {@link #respondedToFailure}, where the framework left the response to the transport. */
    public CompletionStage<Ending> respondedToFailureWithError(
            Throwable failure, int status, @Nullable String message, Headers headers) {
        return saidBy(failure).orElseGet(() -> respondedWithError(status, message, headers));
    }

    /** What our own exceptions say, and in a transaction any: nothing where there is none. */
    private Optional<CompletionStage<Ending>> saidBy(Throwable failure) {
        Throwable telling = telling(failure);
        boolean undone = policy.isInTransaction() && !(telling instanceof OutcomeUnknownException);
        if (telling instanceof NotExecutedException || undone) {
            return Optional.of(settle(new Outcome.NotExecuted(reasonOf(telling)), new Ending.AsProduced()));
        }
        boolean inDoubt = RefusedCall.in(failure).map(RefusedCall::leavesDoubt).orElse(false);
        if (telling instanceof OutcomeUnknownException || inDoubt) {
            return Optional.of(settle(new Outcome.Unknown(reasonOf(telling)), new Ending.AsProduced()));
        }
        return Optional.empty();
    }

    /**
     * Whether a response to a failure is none: it is an empty success, and nobody has set a header, or the failure is that
     * of a connection. Headers prove little, since some come with every response.
     */
    public static boolean isNoAnswer(Throwable failure, int status, Headers headers, Body body) {
        return status == 200
                && body.size() == 0
                && (!headers.iterator().hasNext() || rootOf(failure) instanceof IOException);
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        for (int depth = 0; root.getCause() != null && depth < DEEPEST_CAUSE; depth++) {
            root = root.getCause();
        }
        return root;
    }

    /** The handler did what cannot be done in a transaction, which is undone. */
    public CompletionStage<Ending> unsupported(String detail) {
        LOG.log(System.Logger.Level.ERROR, "a request of {0} is undone: {1}", name(), detail);
        Ending problem = new Ending.Instead(answers.unsupportedInTransaction(detail));
        seen.notExecuted("unsupported_in_transaction");
        return settle(new Outcome.NotExecuted("unsupported_in_transaction"), problem);
    }

    /** The handler ended in a way that says nothing about its effect, such as a timeout. */
    public CompletionStage<Ending> lostTrack(String reason) {
        lostTrack = true;
        LOG.log(
                System.Logger.Level.ERROR,
                "nobody knows how the handler of {0} ended ({1}); the record becomes unknown",
                name(),
                reason);
        return settle(new Outcome.Unknown(reason), new Ending.Instead(answers.outcomeUnknown()));
    }

    /**
     * The handler answered after it had been given up and its client told that nobody knows. What is to be recorded settles
     * the outcome, for the next retry; anything else leaves it unknown.
     *
     * @param body null when it is too large to be kept
     */
    public void respondedLate(int status, Headers headers, @Nullable Body body) {
        if (!lostTrack || judge(status, headers) != Failures.REPLAY) {
            LOG.log(System.Logger.Level.WARNING, "a handler of {0} answered after its request had ended", name());
            return;
        }
        RecordedResponse response = body == null
                ? RecordedResponse.notRetained(status, headers)
                : RecordedResponse.of(status, headers, body);
        settle(new Outcome.Completed(response.toResponse()), new Ending.AsProduced());
    }

    private Failures judge(int status, Headers headers) {
        return judged(() -> policy.judge(status, headers));
    }

    /** A rule that fails has judged nothing, and the effect may have happened, unless it can be undone. */
    private Failures judged(Supplier<Failures> rule) {
        try {
            return rule.get();
        } catch (RuntimeException | Error e) {
            boolean undo = policy.isInTransaction();
            String consequence = undo ? "the request is undone" : "the record becomes unknown";
            LOG.log(System.Logger.Level.ERROR, "the rule of " + name() + " failed; " + consequence, e);
            return undo ? Failures.RETRY : Failures.RECONCILE;
        }
    }

    private CompletionStage<Ending> settleProblem(Failures meaning, Answer problem, String reason) {
        RecordedResponse recorded = RecordedResponse.of(problem.status(), problem.headers(), problem.body());
        return settle(meaning, recorded, reason, new Ending.Instead(problem));
    }

    private CompletionStage<Ending> settle(
            Failures meaning, RecordedResponse response, String reason, Ending whenRecorded) {
        return switch (meaning) {
            case REPLAY -> settle(new Outcome.Completed(response.toResponse()), whenRecorded);
            case RETRY -> settle(new Outcome.NotExecuted(reason), unlessUndone(response, answers.notExecuted()));
            case RECONCILE -> settle(new Outcome.Unknown(reason), unlessUndone(response, answers.outcomeUnknown()));
        };
    }

    private Ending unlessUndone(RecordedResponse success, Answer instead) {
        boolean untrue = policy.isInTransaction() && success.status() < 400;
        return untrue ? new Ending.Instead(instead) : new Ending.AsProduced();
    }

    private CompletionStage<Ending> settle(Outcome outcome, Ending whenSettled) {
        return settled(outcome).thenApply(settlement -> {
            accepted = settlement instanceof Settlement.Settled;
            Outcome effective =
                    settlement instanceof Settlement.Settled settled ? settled.outcome() : seen.effective(outcome);
            meant = effective;
            if (!accepted) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the outcome of {0} was not confirmed: {1}",
                        name(),
                        settlement instanceof Settlement.Unconfirmed unconfirmed
                                ? unconfirmed.fault().toString()
                                : "the lease was lost");
                if (effective instanceof Outcome.Completed) {
                    return new Ending.Instead(
                            policy.isInTransaction() ? answers.notConfirmed() : answers.outcomeUnknown());
                }
            }
            return effective.getClass() == outcome.getClass() ? whenSettled : new Ending.AsProduced();
        });
    }

    private CompletionStage<Settlement> settled(Outcome outcome) {
        try {
            return attempt.settle(outcome);
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "the outcome of " + name() + " could not be settled", e);
            return CompletableFuture.completedFuture(
                    new Settlement.Unconfirmed(new StoreException("settling failed", e)));
        }
    }

    /** The cause that says most: one of our own exceptions anywhere, else the first that is not just a wrapper. */
    private static Throwable telling(Throwable failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause instanceof NotExecutedException || cause instanceof OutcomeUnknownException) {
                return cause;
            }
            cause = cause.getCause();
        }
        cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String reasonOf(Throwable failure) {
        return failure.getClass().getSimpleName();
    }

    private void log(System.Logger.Level level, String what, Throwable failure) {
        LOG.log(level, "a request of " + name() + " " + what, failure);
    }

    private String name() {
        return attempt.operation().name() + " " + attempt.lease().identity();
    }

    /** What a client hears when the database may or may not have committed what it asked for. */
    Answer notConfirmed() {
        return answers.notConfirmed();
    }
}

package dev.semel.http;

import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.adapter.RunningAttempt;
import java.lang.System.Logger.Level;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the result of a handler means, for every transport alike: which outcome to record, and what the client gets
 * once that is recorded.
 *
 * <ol>
 *   <li>A response is recorded, releases the key, or leaves the outcome unknown, as the route's policy says.
 *   <li>{@link NotExecutedException} and {@link OutcomeUnknownException} mean what they say, also as the cause of another
 *       exception, and whatever the framework answered.
 *   <li>In a transaction whatever is not recorded is rolled back. A success that is rolled back is not sent.
 * </ol>
 */
record Judge(RunningAttempt attempt, RoutePolicy policy, Answers answers) {

    /** The reason that a rolled back request gets on its record. */
    static final String UNSUPPORTED = "unsupported_in_transaction";

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    /** The outcome to record, and what the client gets once it is recorded. */
    record Judgement(Outcome outcome, Ending whenSettled) {}

    Judgement of(HandlerResult result) {
        if (result instanceof HandlerResult.NotRouted) {
            return new Judgement(new Outcome.NotExecuted("not_routed"), new Ending.AsProduced());
        }
        if (result instanceof HandlerResult.NotExecuted refused) {
            log(Level.WARNING, "was not executed (" + refused.reason() + ")", null);
            return released(refused.reason(), new Ending.Replacement(answers.notExecuted()));
        }
        if (result instanceof HandlerResult.Responded responded) {
            return responded(responded);
        }
        if (result instanceof HandlerResult.TooLarge large) {
            return recording(
                    large.status(),
                    large.headers(),
                    RecordedResponse.notRetained(large.status(), large.headers()),
                    new Ending.AsProduced());
        }
        if (result instanceof HandlerResult.SentError error) {
            Judgement said = error.handled() == null ? null : saidBy(error.handled());
            return said == null ? sentError(error) : said;
        }
        if (result instanceof HandlerResult.Failed failed) {
            return failed(failed.failure());
        }
        if (result instanceof HandlerResult.Undetermined lost) {
            log(Level.ERROR, "ended without a result (" + lost.reason() + "); its outcome becomes unknown", null);
            return unknown(lost.reason());
        }
        return unsupported(((HandlerResult.Unsupported) result).detail());
    }

    /** The meaning of a response that was produced after the outcome was settled as unknown; null unless it is recorded. */
    @Nullable
    Outcome ofLateResponse(int status, Headers headers, @Nullable Body body, Headers trailers) {
        if (judge(status, headers.and(trailers)) != Failures.REPLAY) {
            return null;
        }
        RecordedResponse response = body == null
                ? RecordedResponse.notRetained(status, headers)
                : new RecordedResponse(status, headers, body, true, trailers);
        return new Outcome.Completed(response.toResponse());
    }

    private Judgement responded(HandlerResult.Responded response) {
        Throwable unanswered = response.unanswered();
        if (unanswered != null) {
            return failed(unanswered);
        }
        Judgement said = response.handled() == null ? null : saidBy(response.handled());
        if (said != null) {
            return said;
        }
        int status = response.status();
        RecordedResponse recorded = response.body().size() > policy.maxRecordedResponse()
                ? RecordedResponse.notRetained(status, response.headers())
                : new RecordedResponse(status, response.headers(), response.body(), true, response.trailers());
        return recording(status, response.headers().and(response.trailers()), recorded, new Ending.AsProduced());
    }

    private Judgement sentError(HandlerResult.SentError error) {
        int status = error.status();
        String message = error.message();
        String detail = message != null && !message.isBlank()
                ? message
                : "The request was answered with status " + status + ".";
        Answer problem = answers.requestFailed(status, detail);
        Headers all = problem.headers();
        for (Headers.Line line : error.headers()) {
            if (problem.headers().first(line.name()).isEmpty()) {
                all = all.with(line.name(), line.value());
            }
        }
        Answer whole = new Answer(status, all, problem.body());
        return recording(status, error.headers(), recorded(whole), new Ending.Replacement(whole));
    }

    /**
     * Judges an exception. {@link Ending.AsProduced} leaves it to the transport's usual treatment, where nothing is
     * recorded.
     */
    private Judgement failed(Throwable failure) {
        Throwable telling = telling(failure);
        Failures meaning = judged(() -> attempt.judge(telling));
        String reason = reasonOf(telling);
        if (telling instanceof NotExecutedException && meaning == Failures.RETRY) {
            log(Level.WARNING, "was not executed", telling);
            return released(reason, new Ending.Replacement(answers.notExecuted()));
        }
        if (telling instanceof OutcomeUnknownException && meaning == Failures.RECONCILE) {
            // The engine logs a warning for the record, once; this is the reason.
            log(Level.INFO, "has an unknown outcome", telling);
            return unknown(reason);
        }
        RefusedCall refused = RefusedCall.in(failure).orElse(null);
        if (refused != null) {
            return refused(refused, meaning, reason);
        }
        if (meaning == Failures.REPLAY) {
            log(Level.ERROR, "failed; the failure is recorded", failure);
        }
        Answer problem = answers.requestFailed(
                ProblemCode.REQUEST_FAILED.status(),
                "The request failed with an internal error, which is recorded: the same key will get this answer"
                        + " again.");
        return recording(meaning, recorded(problem), reason, new Ending.Replacement(problem));
    }

    /**
     * Judges the refusal of a call that the handler made itself. The call had no effect, or is in doubt; what the handler
     * did before it is judged as before any exception.
     */
    private Judgement refused(RefusedCall refused, Failures meaning, String reason) {
        if (refused.leavesDoubt() && !policy.isInTransaction()) {
            return unknown(reason);
        }
        return switch (meaning) {
            case REPLAY -> {
                Answer last = refused.finalAnswer(answers);
                yield recording(meaning, recorded(last), reason, new Ending.Replacement(last));
            }
            case RETRY -> released(reason, new Ending.Replacement(refused.answer(answers)));
            case RECONCILE -> unknown(reason);
        };
    }

    /**
     * Judges an exception that the framework has answered, where it decides more than the response: our own exceptions, and
     * in a transaction any, since it may have left the transaction in a state in which it cannot commit.
     *
     * @return null where the response decides
     */
    private @Nullable Judgement saidBy(Throwable failure) {
        Throwable telling = telling(failure);
        boolean undone = policy.isInTransaction() && !(telling instanceof OutcomeUnknownException);
        if (telling instanceof NotExecutedException || undone) {
            return released(reasonOf(telling), new Ending.AsProduced());
        }
        boolean inDoubt = RefusedCall.in(failure).map(RefusedCall::leavesDoubt).orElse(false);
        return telling instanceof OutcomeUnknownException || inDoubt
                ? new Judgement(new Outcome.Unknown(reasonOf(telling)), new Ending.AsProduced())
                : null;
    }

    private Judgement unsupported(String detail) {
        log(Level.ERROR, "is rolled back: " + detail, null);
        return released(UNSUPPORTED, new Ending.Replacement(answers.unsupportedInTransaction(detail)));
    }

    private Judgement released(String reason, Ending ending) {
        return new Judgement(new Outcome.NotExecuted(reason), ending);
    }

    private Judgement unknown(String reason) {
        return new Judgement(new Outcome.Unknown(reason), new Ending.Replacement(answers.outcomeUnknown()));
    }

    private Judgement recording(int status, Headers headers, RecordedResponse response, Ending whenRecorded) {
        return recording(judge(status, headers), response, "http_" + status, whenRecorded);
    }

    private Judgement recording(Failures meaning, RecordedResponse response, String reason, Ending whenRecorded) {
        return switch (meaning) {
            case REPLAY -> new Judgement(new Outcome.Completed(response.toResponse()), whenRecorded);
            case RETRY -> released(reason, unlessUndone(response, answers.notExecuted()));
            case RECONCILE ->
                new Judgement(new Outcome.Unknown(reason), unlessUndone(response, answers.outcomeUnknown()));
        };
    }

    private Ending unlessUndone(RecordedResponse produced, Answer replacement) {
        boolean undoneSuccess = policy.isInTransaction() && produced.status() < 400;
        return undoneSuccess ? new Ending.Replacement(replacement) : new Ending.AsProduced();
    }

    private Failures judge(int status, Headers headers) {
        return judged(() -> policy.judge(status, headers));
    }

    /** Applies a rule. Where the rule itself fails, the effect may have happened, unless a rollback undoes it. */
    private Failures judged(Supplier<Failures> rule) {
        try {
            return rule.get();
        } catch (RuntimeException | Error e) {
            boolean undo = policy.isInTransaction();
            String consequence = undo ? "it is rolled back" : "its outcome becomes unknown";
            log(Level.ERROR, "cannot be judged, because the rule of its operation failed; " + consequence, e);
            return undo ? Failures.RETRY : Failures.RECONCILE;
        }
    }

    private void log(Level level, String what, @Nullable Throwable failure) {
        LOG.log(
                level,
                "a request of " + attempt.operation().name() + " "
                        + attempt.lease().identity() + " " + what,
                failure);
    }

    private static RecordedResponse recorded(Answer answer) {
        return RecordedResponse.of(answer.status(), answer.headers(), answer.body());
    }

    /** The most telling cause: one of our own exceptions anywhere, else the first that is not just a wrapper. */
    private static Throwable telling(Throwable failure) {
        return Causes.of(failure).stream()
                .filter(cause -> cause instanceof NotExecutedException || cause instanceof OutcomeUnknownException)
                .findFirst()
                .orElseGet(() -> Causes.unwrapped(failure));
    }

    private static String reasonOf(Throwable failure) {
        return failure.getClass().getSimpleName();
    }
}

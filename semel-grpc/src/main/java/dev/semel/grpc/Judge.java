package dev.semel.grpc;

import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Outcome;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.StoreException;
import dev.semel.adapter.RunningAttempt;
import io.grpc.Status;
import java.lang.System.Logger.Level;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the result of a handler means: which outcome to record, and what the client gets once that is recorded.
 *
 * <ol>
 *   <li>An answer is recorded, releases the key, or leaves the outcome unknown, as its {@link CallPolicy} says.
 *   <li>{@link NotExecutedException} and {@link OutcomeUnknownException} mean what they say, also as the cause of another
 *       exception, and whatever status a handler has made of them.
 *   <li>Other exceptions mean what the engine says of them.
 * </ol>
 */
record Judge(RunningAttempt attempt, CallPolicy policy) {

    private static final System.Logger LOG = System.getLogger("dev.semel.grpc");

    /** Deeper than any framework wraps; causes can form a circle. */
    private static final int DEEPEST_CAUSE = 50;

    /**
     * The outcome to record, and what the client gets once it is recorded.
     *
     * @param otherwise what the client gets where the handler has declared another outcome
     */
    record Judgement(Outcome outcome, Reply reply, Reply otherwise) {

        Judgement(Outcome outcome, Reply produced) {
            this(outcome, produced, produced);
        }
    }

    /** Judges what a handler has answered. */
    Judgement answered(Reply produced) {
        Throwable cause = produced.status().getCause();
        if (cause != null) {
            if (isBareException(produced.status())) {
                return failed(cause);
            }
            Throwable telling = telling(cause);
            if (telling instanceof NotExecutedException) {
                return new Judgement(new Outcome.NotExecuted(reasonOf(telling)), produced);
            }
            if (telling instanceof OutcomeUnknownException) {
                return new Judgement(new Outcome.Unknown(reasonOf(telling)), produced);
            }
        }
        Failures meaning = judged(() -> policy.judge(produced.status(), produced.trailers()));
        return new Judgement(
                outcome(meaning, produced, "grpc_" + produced.status().getCode()), produced);
    }

    /** The outcome of an answer that came after it had been settled as unknown; null unless it is recorded. */
    @Nullable
    Outcome ofLateAnswer(Reply produced) {
        return answered(produced).outcome() instanceof Outcome.Completed completed ? completed : null;
    }

    /** Whether the status was made of an exception, as {@code onError} does, and not chosen by the handler. */
    private static boolean isBareException(Status status) {
        return status.getCode() == Status.Code.UNKNOWN && status.getDescription() == null;
    }

    /** Judges an exception of a handler. */
    Judgement failed(Throwable failure) {
        Throwable telling = telling(failure);
        Failures meaning = judged(() -> attempt.judge(telling));
        String reason = reasonOf(telling);
        if (telling instanceof NotExecutedException && meaning == Failures.RETRY) {
            log(Level.WARNING, "was not executed", telling);
            return new Judgement(new Outcome.NotExecuted(reason), Refusals.notExecuted(), Refusals.failed());
        }
        if ((telling instanceof OutcomeUnknownException && meaning == Failures.RECONCILE) || leavesDoubt(telling)) {
            // The engine logs a warning for the record, once; this is the reason.
            log(Level.INFO, "has an unknown outcome", telling);
            return new Judgement(new Outcome.Unknown(reason), Refusals.outcomeUnknown(), Refusals.failed());
        }
        log(Level.ERROR, meaning == Failures.REPLAY ? "failed; the failure is recorded" : "failed", failure);
        Reply reply = meaning == Failures.REPLAY ? Refusals.requestFailed() : Refusals.failed();
        return new Judgement(outcome(meaning, reply, reason), reply, Refusals.failed());
    }

    private Outcome outcome(Failures meaning, Reply reply, String reason) {
        return switch (meaning) {
            case REPLAY -> new Outcome.Completed(recorded(reply).toResponse());
            case RETRY -> new Outcome.NotExecuted(reason);
            case RECONCILE -> new Outcome.Unknown(reason);
        };
    }

    private RecordedReply recorded(Reply reply) {
        byte[] message = reply.message();
        boolean fits = message == null || message.length <= policy.maxRecordedResponse();
        return fits ? new RecordedReply(reply, true) : RecordedReply.notRetained();
    }

    /** Whether a call to the engine that the handler made itself was refused in a way that leaves its effect in doubt. */
    private static boolean leavesDoubt(Throwable failure) {
        if (failure instanceof RefusedException refused) {
            Refusal why = refused.execution() instanceof Execution.Refused<?> execution ? execution.why() : null;
            return why == null || why instanceof Refusal.OutcomeUnknown;
        }
        return failure instanceof StoreException && OutcomeUnknownException.isIn(failure);
    }

    /** Applies a rule. Where the rule itself fails, the effect may have happened. */
    private Failures judged(Supplier<Failures> rule) {
        try {
            return rule.get();
        } catch (RuntimeException | Error e) {
            log(
                    Level.ERROR,
                    "cannot be judged, because the rule of its operation failed; its outcome becomes unknown",
                    e);
            return Failures.RECONCILE;
        }
    }

    /** The most telling cause: one of our own exceptions anywhere, else the first that is not just a wrapper. */
    private static Throwable telling(Throwable failure) {
        return causes(failure)
                .filter(cause -> cause instanceof NotExecutedException || cause instanceof OutcomeUnknownException)
                .findFirst()
                .orElseGet(() -> causes(failure)
                        .filter(cause -> !(cause instanceof CompletionException || cause instanceof ExecutionException))
                        .findFirst()
                        .orElse(failure));
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).limit(DEEPEST_CAUSE);
    }

    private static String reasonOf(Throwable failure) {
        return failure.getClass().getSimpleName();
    }

    private void log(Level level, String what, @Nullable Throwable failure) {
        LOG.log(
                level,
                "a call of " + attempt.operation().name() + " "
                        + attempt.lease().identity() + " " + what,
                failure);
    }
}

package dev.semel.http;

import dev.semel.Execution;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.StoreException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The refusal of a call that a handler made to the engine itself, such as a call of an {@code @Idempotent} method. It is
 * answered like the refusal of a request.
 *
 * @param why null where the store was unavailable, or where the call ran and its result is not on record
 * @param storeFault null where the store was available
 */
record RefusedCall(@Nullable Refusal why, @Nullable StoreException storeFault) {

    private static final int MISMATCH = ProblemCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD.status();

    /** Finds a refusal within the wrappers of asynchronous code only: an exception that an application wraps is its own failure. */
    static Optional<RefusedCall> in(Throwable failure) {
        Throwable cause = Causes.unwrapped(failure);
        if (cause instanceof RefusedException refused) {
            return Optional.of(new RefusedCall(
                    refused.execution() instanceof Execution.Refused<?> execution ? execution.why() : null, null));
        }
        return cause instanceof StoreException fault ? Optional.of(new RefusedCall(null, fault)) : Optional.empty();
    }

    /** Whether the call may have had its effect. */
    boolean leavesDoubt() {
        return storeFault == null
                ? why == null || why instanceof Refusal.OutcomeUnknown
                : OutcomeUnknownException.isIn(storeFault);
    }

    Answer answer(Answers answers) {
        if (leavesDoubt()) {
            return answers.outcomeUnknown();
        }
        if (storeFault != null) {
            return answers.storeUnavailable();
        }
        if (why instanceof Refusal.InProgress running) {
            return answers.conflict(running.retryAfter());
        }
        if (why instanceof Refusal.ReplayForbidden forbidden) {
            return answers.replayRefused(forbidden, RefusedReplay.FORBIDDEN);
        }
        if (why instanceof Refusal.KeyExpired) {
            return answers.keyExpired();
        }
        if (why instanceof Refusal.KeyFromFuture) {
            return answers.keyFromFuture();
        }
        // Not explained: the client did not send the request of this call.
        return answers.mismatch(MISMATCH, new Refusal.Mismatch());
    }

    /** The answer where it is recorded for the request that made the call, so that retries get it again. */
    Answer finalAnswer(Answers answers) {
        boolean retryable =
                storeFault != null || why instanceof Refusal.InProgress || why instanceof Refusal.ReplayForbidden;
        if (!retryable || leavesDoubt()) {
            return answer(answers);
        }
        return answers.recordedRefusal(code());
    }

    private ProblemCode code() {
        if (storeFault != null) {
            return ProblemCode.IDEMPOTENCY_STORE_UNAVAILABLE;
        }
        if (why instanceof Refusal.ReplayForbidden forbidden) {
            return forbidden.decided()
                    ? ProblemCode.IDEMPOTENCY_REPLAY_FORBIDDEN
                    : ProblemCode.IDEMPOTENCY_REPLAY_CHECK_FAILED;
        }
        return ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS;
    }
}

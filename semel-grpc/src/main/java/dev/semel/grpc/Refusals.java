package dev.semel.grpc;

import dev.semel.Refusal;
import dev.semel.key.KeyFinding;
import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;

/** The answers of the protocol itself. */
final class Refusals {

    /** Reconciliation takes seconds at best; a client gains nothing by asking more often. */
    private static final Duration RETRY_UNKNOWN = Duration.ofSeconds(5);

    private static final Duration RETRY_SOON = Duration.ofSeconds(1);

    private Refusals() {}

    static Reply keyMissing() {
        return reply(
                RefusalCode.IDEMPOTENCY_KEY_MISSING,
                "this method needs a key that is repeated on every retry, in the metadata "
                        + IdempotencyMetadata.KEY.name());
    }

    static Reply keyInvalid(String reason) {
        return reply(RefusalCode.IDEMPOTENCY_KEY_INVALID, reason);
    }

    static Reply poorKey(KeyFinding finding) {
        return reply(
                RefusalCode.IDEMPOTENCY_KEY_INVALID,
                "the key " + finding.description()
                        + "; nothing was executed. Send a random UUID, one for each intent and the same on every retry");
    }

    static Reply scopeMissing() {
        return reply(
                RefusalCode.IDEMPOTENCY_SCOPE_MISSING,
                "an idempotency key requires an authenticated caller; authenticate first");
    }

    static Reply scopeInvalid() {
        return reply(RefusalCode.IDEMPOTENCY_SCOPE_INVALID, "the name of the caller cannot own an idempotency key");
    }

    static Reply streaming() {
        return reply(
                RefusalCode.IDEMPOTENCY_STREAMING_UNSUPPORTED,
                "only unary methods can be protected, and this method streams; nothing was executed. Call it without"
                        + " an idempotency key, or use a unary method");
    }

    static Reply of(Refusal why) {
        if (why instanceof Refusal.Mismatch) {
            return reply(
                    RefusalCode.IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD,
                    "the key was used before for a call that differs from this one. Use a new key for a new call, and"
                            + " repeat a call unchanged");
        }
        if (why instanceof Refusal.InProgress running) {
            return reply(
                    RefusalCode.IDEMPOTENCY_KEY_IN_PROGRESS,
                    "a call with this key is being processed. Ask again with the same key",
                    running.retryAfter());
        }
        if (why instanceof Refusal.KeyExpired) {
            return reply(
                    RefusalCode.IDEMPOTENCY_KEY_EXPIRED,
                    "answers for this key are not kept any more, and the call may have been executed before; nothing was"
                            + " executed now. Find out what became of it before you call with a new key");
        }
        if (why instanceof Refusal.KeyFromFuture) {
            return keyInvalid(
                    "the key carries a time that is not reached yet; nothing was executed. Set the client's clock,"
                            + " and call with a new key");
        }
        return outcomeUnknown();
    }

    /** The refusal of a replay. Its text holds for a key that was never used, too. */
    static Reply replayRefused(Refusal.ReplayForbidden why, boolean hidden) {
        if (!why.decided()) {
            return reply(
                    RefusalCode.IDEMPOTENCY_REPLAY_CHECK_FAILED,
                    "it cannot be checked at the moment whether the caller may have the answer. Nothing was executed now."
                            + " Repeat it with the same key",
                    RETRY_SOON);
        }
        RefusalCode code = RefusalCode.IDEMPOTENCY_REPLAY_FORBIDDEN;
        return reply(
                code,
                hidden ? Status.Code.NOT_FOUND : code.status(),
                "the caller may not have the answer of this call, whether or not it was executed before. Nothing was"
                        + " executed now");
    }

    static Reply outcomeUnknown() {
        return reply(
                RefusalCode.IDEMPOTENCY_OUTCOME_UNKNOWN,
                "it is not known yet whether the call took effect. Keep the key and retry with it; a new key could cause"
                        + " the effect a second time",
                RETRY_UNKNOWN);
    }

    static Reply storeUnavailable() {
        return reply(
                RefusalCode.IDEMPOTENCY_STORE_UNAVAILABLE,
                "it cannot be checked at the moment whether this call was executed before, so it is not executed now."
                        + " Repeat it with the same key",
                RETRY_SOON);
    }

    static Reply notExecuted() {
        return reply(
                RefusalCode.IDEMPOTENCY_NOT_EXECUTED,
                "the call had no effect. It can be repeated with the same key",
                RETRY_SOON);
    }

    static Reply notRetained() {
        return reply(
                RefusalCode.IDEMPOTENCY_RESPONSE_NOT_RETAINED,
                "the call was executed and will not be executed again, but its response was not kept");
    }

    /** The answer to an exception that is recorded. It says nothing of the exception. */
    static Reply requestFailed() {
        return reply(
                RefusalCode.REQUEST_FAILED,
                "the call failed with an internal error, which is recorded: the same key will get this answer again");
    }

    /** The answer to an exception that is not recorded. It says nothing of the exception. */
    static Reply failed() {
        return Reply.failure(Status.UNKNOWN.withDescription("the call failed with an internal error"), new Metadata());
    }

    private static Reply reply(RefusalCode code, String description, Duration retryAfter) {
        Reply reply = reply(code, description);
        long millis = Math.max(1, retryAfter.toMillis());
        reply.trailers().put(IdempotencyMetadata.RETRY_AFTER, String.valueOf((millis + 999) / 1000));
        reply.trailers().put(IdempotencyMetadata.PUSHBACK, String.valueOf(millis));
        return reply;
    }

    private static Reply reply(RefusalCode code, String description) {
        return reply(code, code.status(), description);
    }

    private static Reply reply(RefusalCode code, Status.Code status, String description) {
        Metadata trailers = new Metadata();
        trailers.put(IdempotencyMetadata.CODE, code.code());
        trailers.put(IdempotencyMetadata.RETRYABLE, String.valueOf(code.retryable()));
        return Reply.failure(Status.fromCode(status).withDescription(description), trailers);
    }
}

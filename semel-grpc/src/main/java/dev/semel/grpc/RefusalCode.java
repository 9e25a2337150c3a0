package dev.semel.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Locale;
import java.util.Optional;

/** The reason why a call is not answered by its handler. Codes are stable, and those of HTTP where both have one. */
public enum RefusalCode {
    IDEMPOTENCY_KEY_MISSING(Status.Code.INVALID_ARGUMENT, false),
    IDEMPOTENCY_KEY_INVALID(Status.Code.INVALID_ARGUMENT, false),
    IDEMPOTENCY_SCOPE_MISSING(Status.Code.INVALID_ARGUMENT, false),
    IDEMPOTENCY_SCOPE_INVALID(Status.Code.INVALID_ARGUMENT, false),
    IDEMPOTENCY_STREAMING_UNSUPPORTED(Status.Code.INVALID_ARGUMENT, false),
    IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD(Status.Code.FAILED_PRECONDITION, false),
    IDEMPOTENCY_KEY_EXPIRED(Status.Code.FAILED_PRECONDITION, false),
    IDEMPOTENCY_RESPONSE_NOT_RETAINED(Status.Code.FAILED_PRECONDITION, false),
    /** {@code NOT_FOUND} where {@link SemelServerInterceptor.Builder#hideRefusedReplays} says so. */
    IDEMPOTENCY_REPLAY_FORBIDDEN(Status.Code.PERMISSION_DENIED, false),
    IDEMPOTENCY_REPLAY_CHECK_FAILED(Status.Code.UNAVAILABLE, true),
    IDEMPOTENCY_KEY_IN_PROGRESS(Status.Code.ABORTED, true),
    IDEMPOTENCY_OUTCOME_UNKNOWN(Status.Code.ABORTED, true),
    IDEMPOTENCY_STORE_UNAVAILABLE(Status.Code.UNAVAILABLE, true),
    IDEMPOTENCY_NOT_EXECUTED(Status.Code.UNAVAILABLE, true),
    /** The handler threw, and the failure was recorded. */
    REQUEST_FAILED(Status.Code.UNKNOWN, false);

    private final Status.Code status;
    private final boolean retryable;

    RefusalCode(Status.Code status, boolean retryable) {
        this.status = status;
        this.retryable = retryable;
    }

    /** The code in the trailers of an answer; empty where the handler answered, or another release knows more codes. */
    public static Optional<RefusalCode> in(Metadata trailers) {
        String code = trailers.get(IdempotencyMetadata.CODE);
        for (RefusalCode known : values()) {
            if (known.code().equals(code)) {
                return Optional.of(known);
            }
        }
        return Optional.empty();
    }

    /** The name in answers. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    public Status.Code status() {
        return status;
    }

    /** Whether the same call with the same key may get another answer later. */
    public boolean retryable() {
        return retryable;
    }
}

package dev.semel.http;

import java.util.Locale;

/** The reason why a request is not answered by its handler. Codes are stable, and documented in {@code docs/reference/http.md}. */
public enum ProblemCode {
    IDEMPOTENCY_KEY_MISSING(400, false, "An idempotency key is required"),
    IDEMPOTENCY_KEY_INVALID(400, false, "The idempotency key is invalid"),
    IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD(422, false, "The idempotency key was used for another request"),
    IDEMPOTENCY_KEY_IN_PROGRESS(409, true, "A request with this idempotency key is in progress"),
    IDEMPOTENCY_OUTCOME_UNKNOWN(409, true, "The outcome of the request is unknown"),
    IDEMPOTENCY_RESPONSE_NOT_RETAINED(409, false, "The request was executed, but its response was not kept"),
    IDEMPOTENCY_STORE_UNAVAILABLE(503, true, "The request cannot be protected at the moment"),
    IDEMPOTENCY_SCOPE_MISSING(400, false, "It is not known whom the idempotency key belongs to"),
    IDEMPOTENCY_SCOPE_INVALID(400, false, "The owner of the idempotency key is invalid"),
    IDEMPOTENCY_BODY_TOO_LARGE(413, false, "The request body is too large"),
    IDEMPOTENCY_BODY_UNPROCESSABLE(400, false, "The request body cannot be processed"),
    IDEMPOTENCY_KEY_NOT_FOUND(404, true, "Nothing is recorded for this idempotency key"),
    IDEMPOTENCY_OPERATION_UNKNOWN(400, false, "There is no such operation"),
    IDEMPOTENCY_NOT_EXECUTED(503, true, "The request was not executed"),
    /** The handler is written for another kind of route: a mistake of the service. */
    IDEMPOTENCY_UNSUPPORTED_IN_TRANSACTION(500, false, "The service cannot do this in a transaction"),
    /** The handler failed and the failure was recorded; the status is the handler's. */
    REQUEST_FAILED(500, false, "The request failed");

    private final int status;
    private final boolean retryable;
    private final String title;

    ProblemCode(int status, boolean retryable, String title) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
    }

    /** The name in answers. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The stable identifier of the kind of problem. It is a name, there is nothing to fetch. */
    public String type() {
        return "urn:semel:problem:" + code();
    }

    public int status() {
        return status;
    }

    /** Whether the same request with the same key may get another answer later. */
    public boolean retryable() {
        return retryable;
    }

    public String title() {
        return title;
    }
}

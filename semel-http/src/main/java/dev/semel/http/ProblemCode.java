package dev.semel.http;

import java.util.Locale;

/** The reason why a request is not answered by its handler. Codes are stable, and documented in {@code docs/reference/http.md}. */
public enum ProblemCode {
    IDEMPOTENCY_KEY_MISSING(400, false, true, Next.SEND_KEY, "An idempotency key is required"),
    IDEMPOTENCY_KEY_INVALID(400, false, false, Next.CORRECT_KEY, "The idempotency key is invalid"),
    IDEMPOTENCY_KEY_EXPIRED(412, false, false, Next.LOOK_UP_RESULT, "The retention of the idempotency key has passed"),
    IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_PAYLOAD(
            422, false, false, Next.COMPARE_REQUEST, "The idempotency key was used for another request"),
    IDEMPOTENCY_KEY_IN_PROGRESS(
            409, true, false, Next.WAIT_AND_RETRY_SAME_KEY, "A request with this idempotency key is in progress"),
    IDEMPOTENCY_OUTCOME_UNKNOWN(
            409, true, false, Next.WAIT_AND_RETRY_SAME_KEY, "The outcome of the request is unknown"),
    IDEMPOTENCY_RESPONSE_NOT_RETAINED(
            409, false, false, Next.LOOK_UP_RESULT, "The request was executed, but its response was not kept"),
    IDEMPOTENCY_REPLAY_FORBIDDEN(403, false, false, Next.ASK_FOR_ACCESS, "The caller may not have the response"),
    IDEMPOTENCY_REPLAY_CHECK_FAILED(
            503, true, false, Next.WAIT_AND_RETRY_SAME_KEY, "The caller's rights cannot be checked at the moment"),
    IDEMPOTENCY_STORE_UNAVAILABLE(
            503, true, false, Next.WAIT_AND_RETRY_SAME_KEY, "The request cannot be protected at the moment"),
    IDEMPOTENCY_SCOPE_MISSING(
            400, false, false, Next.IDENTIFY_CALLER, "It is not known whom the idempotency key belongs to"),
    IDEMPOTENCY_SCOPE_INVALID(400, false, false, Next.IDENTIFY_CALLER, "The owner of the idempotency key is invalid"),
    IDEMPOTENCY_BODY_TOO_LARGE(413, false, false, Next.CORRECT_REQUEST, "The request body is too large"),
    IDEMPOTENCY_BODY_UNPROCESSABLE(400, false, false, Next.CORRECT_REQUEST, "The request body cannot be processed"),
    IDEMPOTENCY_KEY_NOT_FOUND(
            404, true, false, Next.WAIT_AND_RETRY_SAME_KEY, "Nothing is recorded for this idempotency key"),
    IDEMPOTENCY_OPERATION_UNKNOWN(400, false, false, Next.CORRECT_REQUEST, "There is no such operation"),
    IDEMPOTENCY_NOT_EXECUTED(503, true, false, Next.WAIT_AND_RETRY_SAME_KEY, "The request was not executed"),
    /** The client asks for the protection of OASIS Repeatable Requests where there is none. */
    IDEMPOTENCY_NOT_SUPPORTED(501, false, false, Next.CONTACT_SERVICE, "This request cannot be made repeatable"),
    /** The handler is written for another kind of route: a mistake of the service. */
    IDEMPOTENCY_UNSUPPORTED_IN_TRANSACTION(
            500, false, false, Next.CONTACT_SERVICE, "The service cannot do this in a transaction"),
    /** The handler failed and the failure was recorded; the status is the handler's. */
    REQUEST_FAILED(500, false, false, Next.LOOK_UP_RESULT, "The request failed");

    /** What a client does next: a code for machines and a sentence for people. */
    public enum Next {
        SEND_KEY("Send the request with a key that is unique to the intent, and the same key on every retry."),
        CORRECT_KEY("Send a valid key. If an earlier request of this intent was accepted, repeat the key of that one."),
        WAIT_AND_RETRY_SAME_KEY(
                "Wait as long as Retry-After says, then repeat the request unchanged with the same key."),
        COMPARE_REQUEST(
                "If this is a retry, repeat the first request unchanged. If it is another intent, send it with a"
                        + " key of its own."),
        LOOK_UP_RESULT("The request may have taken effect. Find out in the service before you send it with a new key."),
        ASK_FOR_ACCESS(
                "The request may have been executed. Ask for access to its result; do not send it with a new key."),
        IDENTIFY_CALLER("Send the request with the credentials of the owner of the key, and with the same key."),
        CORRECT_REQUEST("Correct the request."),
        CONTACT_SERVICE("Report this to the operator of the service; a retry does not help.");

        private final String detail;

        Next(String detail) {
            this.detail = detail;
        }

        /** The name in answers. */
        public String code() {
            return name().toLowerCase(Locale.ROOT);
        }

        public String detail() {
            return detail;
        }
    }

    private final int status;
    private final boolean retryable;
    private final boolean safeNewKey;
    private final Next next;
    private final String title;

    ProblemCode(int status, boolean retryable, boolean safeNewKey, Next next, String title) {
        this.status = status;
        this.retryable = retryable;
        this.safeNewKey = safeNewKey;
        this.next = next;
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

    /** Whether the request can be sent with a new key and is certain not to be executed a second time by that. */
    public boolean safeNewKey() {
        return safeNewKey;
    }

    public Next next() {
        return next;
    }

    public String title() {
        return title;
    }
}

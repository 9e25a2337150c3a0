package dev.semel.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.Optional;

/** The result of sending an intent. */
public sealed interface Result<T> {

    /** Returns the key of the intent. While the outcome is unknown, sending it with another key can execute it twice. */
    String key();

    /** Returns how often this call sent the request. */
    int attempts();

    /**
     * Whether the request may have been executed although its answer did not arrive.
     *
     * <p>To find out, send it again with the same key; see {@link ClientIntent#withKey}.
     */
    boolean outcomeUnknown();

    /**
     * Whether the intent can be sent with a new key and is certain not to be executed a second time by that. The client never
     * does this itself: whether the intent is still wanted is the caller's decision.
     */
    boolean safeNewKey();

    /**
     * Returns the answer.
     *
     * @throws GaveUpException when there is none; the message says why
     */
    default Answered<T> orElseThrow() throws GaveUpException {
        if (this instanceof Answered<T> answered) {
            return answered;
        }
        throw new GaveUpException((GaveUp<T>) this);
    }

    /**
     * The final answer of the server.
     *
     * @param response with the body that the handler read
     * @param replayed whether the server marks this as the recorded response of an earlier attempt
     * @param outcomeUnknown true only after an attempt that may have been executed, if this answer says nothing about it: the
     *     server denied access (401, 403, 407), no longer remembers the key (412 {@code idempotency_key_expired}), or may not
     *     show its response ({@code idempotency_replay_forbidden})
     * @param advice what the server says about the key
     */
    record Answered<T>(
            String key,
            HttpResponse<T> response,
            boolean replayed,
            int attempts,
            boolean outcomeUnknown,
            KeyAdvice advice)
            implements Result<T> {

        @Override
        public boolean safeNewKey() {
            return advice.safeNewKey() && !outcomeUnknown;
        }

        public int status() {
            return response.statusCode();
        }

        public HttpHeaders headers() {
            return response.headers();
        }

        public T body() {
            return response.body();
        }
    }

    /**
     * No final answer so far.
     *
     * @param outcomeUnknown false only if no attempt can have been executed
     * @param last why the last attempt got no answer; empty if it was stopped, or there was none
     */
    record GaveUp<T>(String key, Reason reason, int attempts, boolean outcomeUnknown, Optional<Setback> last)
            implements Result<T> {

        @Override
        public boolean safeNewKey() {
            return !outcomeUnknown;
        }
    }

    /** Why a client gave up. */
    enum Reason {
        /** The deadline has passed, or would pass before the next attempt. */
        DEADLINE,
        /** The server's {@code Retry-After} is longer than the time left until the deadline. */
        ASKED_TO_WAIT_TOO_LONG,
        /** The thread was interrupted. */
        INTERRUPTED,
        /** A fault of this program, such as a body handler that throws; another attempt would fail in the same way. */
        FAULT
    }
}

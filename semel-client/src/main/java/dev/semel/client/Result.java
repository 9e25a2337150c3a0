package dev.semel.client;

import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.util.Optional;

/** What became of sending an intent. */
public sealed interface Result<T> {

    /** The key of the intent. As long as the outcome is unknown, sending it with any other key may execute it twice. */
    String key();

    /** How often the request was sent, by this call. */
    int attempts();

    /**
     * Whether the request may have been executed without its answer having arrived.
     *
     * <p>Send it again with the same key to find out; see {@link Intent#withKey}.
     */
    boolean outcomeUnknown();

    /** The answer, or an exception that says why there is none. */
    default Answered<T> orElseThrow() throws GaveUpException {
        if (this instanceof Answered<T> answered) {
            return answered;
        }
        throw new GaveUpException((GaveUp<T>) this);
    }

    /**
     * The final answer of the server.
     *
     * @param response as the handler read it
     * @param replayed whether the server says that it had recorded this response for an earlier attempt
     * @param outcomeUnknown true only where the server refuses to talk to this client (401, 403, 407) after an attempt that
     *     may have been executed: that says nothing about the earlier attempt
     */
    record Answered<T>(String key, HttpResponse<T> response, boolean replayed, int attempts, boolean outcomeUnknown)
            implements Result<T> {

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
     * There is no answer, yet.
     *
     * @param outcomeUnknown false only where it is certain that no attempt was executed
     * @param last why the last attempt was not enough; nothing when it was cut short, or there was none
     */
    record GaveUp<T>(String key, Reason reason, int attempts, boolean outcomeUnknown, Optional<Setback> last)
            implements Result<T> {}

    /** Why a client stopped asking. */
    enum Reason {
        /** The next attempt would begin after the deadline: by the client's own pause, or since it has passed. */
        DEADLINE,
        /** The server wants to be left alone for longer than the deadline allows. */
        ASKED_TO_WAIT_TOO_LONG,
        /** The thread was interrupted. */
        INTERRUPTED,
        /** A bug or a limit of this program, such as a body handler that throws; another attempt would end the same way. */
        FAULT
    }
}

package dev.semel.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** How a handler ended, as its transport saw it. {@link Run} decides what that means for the record and for the client. */
public sealed interface HandlerResult {

    /** The framework chose no handler, so nothing was executed; the response is the framework's own. */
    record NotRouted() implements HandlerResult {}

    /**
     * Proof that the code which executes was never reached, such as an upstream service that refused the connection.
     *
     * @param reason for the record, such as {@code connection_refused}
     */
    record NotExecuted(String reason) implements HandlerResult {}

    /**
     * A complete response, of which nothing has been sent yet.
     *
     * @param handled the exception that the framework answered with this response; null when the handler returned
     * @param trailers the fields that followed the body; the policy sees them behind the headers
     */
    record Responded(
            int status,
            Headers headers,
            Body body,
            @Nullable Throwable handled,
            Headers trailers) implements HandlerResult {

        /** A response without trailers. */
        public Responded(int status, Headers headers, Body body, @Nullable Throwable handled) {
            this(status, headers, body, handled, Headers.NONE);
        }

        /**
         * A response to a failure that says nothing is no answer: frameworks leave one when they assume that the client has
         * disconnected, and they assume that after any broken connection, such as the handler's own to a database.
         *
         * <p>It is an empty 200, either without headers or after an {@link IOException}. Headers alone prove little, since
         * frameworks add some to every response.
         */
        @Override
        public @Nullable Throwable unanswered() {
            return handled != null
                            && status == 200
                            && body.size() == 0
                            && (headers.lines().isEmpty() || Causes.rootOf(handled) instanceof IOException)
                    ? handled
                    : null;
        }
    }

    /** A response whose body is too large to be recorded; none of it has been sent yet. */
    record TooLarge(int status, Headers headers) implements HandlerResult {}

    /**
     * A request to the transport to render an error page, which could not be replayed. Where the error is recorded, a
     * problem of the same status is recorded and sent instead.
     *
     * @param headers what the handler had set
     * @param handled the exception that the framework answered with this error; null when the handler returned
     */
    record SentError(
            int status,
            @Nullable String message,
            Headers headers,
            @Nullable Throwable handled) implements HandlerResult {}

    /** An exception that no framework has answered. */
    record Failed(Throwable failure) implements HandlerResult {}

    /**
     * An end that says nothing about the effect, such as a timeout: the outcome is unknown.
     *
     * @param reason for the record, such as {@code async_timeout}
     */
    record Undetermined(String reason) implements HandlerResult {}

    /** Something that cannot be done in a transaction, which is therefore rolled back. */
    record Unsupported(String detail) implements HandlerResult {}

    /** The exception that the framework handled without answering it; null when there is none. */
    default @Nullable Throwable unanswered() {
        return null;
    }
}

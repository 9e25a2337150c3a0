package dev.semel.http.servlet;

import jakarta.servlet.RequestDispatcher;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a handler that its framework has answered, or the framework's note that it chose no handler. Both decide
 * about the record, not only the response.
 *
 * <p>Spring MVC is supported by name: it sets request attributes for the exceptions that its resolvers answer.
 */
final class HandledFailure {

    /** Spring sets the second for exceptions that are answered with a view, and removes it when the view is rendered. */
    private static final Set<String> ATTRIBUTES =
            Set.of("org.springframework.web.servlet.DispatcherServlet.EXCEPTION", RequestDispatcher.ERROR_EXCEPTION);

    /** Thrown by Spring MVC after an asynchronous timeout that the handler does not treat, and answered like any exception. */
    private static final String TIMEOUT = "org.springframework.web.context.request.async.AsyncRequestTimeoutException";

    /** Chains of causes can be circular. */
    private static final int DEEPEST_CAUSE = 50;

    private volatile boolean notRouted;
    private volatile @Nullable Throwable failure;
    private volatile @Nullable Throwable lostConnection;

    @Nullable
    Throwable failure() {
        return failure;
    }

    /** Whether the framework chose no handler. */
    boolean isNotRouted() {
        return notRouted;
    }

    /** Called for each attribute that is set on the request. */
    void attributeSet(String name, @Nullable Object value) {
        if (name.equals(SemelFilter.NOT_ROUTED)) {
            notRouted = true;
        }
        if (ATTRIBUTES.contains(name) && value instanceof Throwable thrown) {
            failure = thrown;
        }
    }

    /** Called with an error of the container, before the handler's listeners are. */
    void containerFailed(@Nullable Throwable error) {
        if (isLostConnection(error)) {
            lostConnection = error;
        }
    }

    static boolean isLostConnection(@Nullable Throwable failure) {
        return failure instanceof IOException || failure instanceof TimeoutException;
    }

    /** Whether the framework has answered for a handler that may still be running. */
    boolean isTimeout() {
        Throwable thrown = failure;
        return thrown != null && thrown.getClass().getName().equals(TIMEOUT);
    }

    /** Whether the framework has answered the loss of the client, and not a failure of the handler. */
    boolean isLossOfClient() {
        Throwable lost = lostConnection;
        Throwable cause = failure;
        for (int depth = 0; lost != null && cause != null && depth < DEEPEST_CAUSE; depth++) {
            if (cause == lost) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}

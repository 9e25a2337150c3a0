package dev.semel.http.servlet;

import jakarta.servlet.RequestDispatcher;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The failure of a handler that its framework has answered itself, or that it had no handler. What it was decides about the
 * record, not only what was answered.
 *
 * <p>Spring MVC is known by name: it says in request attributes what its resolvers take care of.
 */
final class HandledFailure {

    /** The second is for exceptions that are answered with a view, and is removed when that is rendered. */
    private static final Set<String> ATTRIBUTES =
            Set.of("org.springframework.web.servlet.DispatcherServlet.EXCEPTION", RequestDispatcher.ERROR_EXCEPTION);

    /** What Spring MVC makes of a timeout that the handler says nothing about, and then answers like any exception. */
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

    /** Looks at an attribute that is set on the request. */
    void attributeSet(String name, @Nullable Object value) {
        if (name.equals(SemelFilter.NOT_ROUTED)) {
            notRouted = true;
        }
        if (ATTRIBUTES.contains(name) && value instanceof Throwable thrown) {
            failure = thrown;
        }
    }

    /** Remembers what the container tells of the connection, before the handler's listeners hear of it. */
    void told(@Nullable Throwable byContainer) {
        if (isLostConnection(byContainer)) {
            lostConnection = byContainer;
        }
    }

    static boolean isLostConnection(@Nullable Throwable failure) {
        return failure instanceof IOException || failure instanceof TimeoutException;
    }

    /** Whether the framework has answered for a handler that may still be at work. */
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

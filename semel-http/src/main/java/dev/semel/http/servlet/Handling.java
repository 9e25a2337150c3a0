package dev.semel.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.Supplier;

/** The part of a protected request's handling that the request and the response of its handler share. */
interface Handling {

    /** Where a request holds its handling: it is protected, and is not protected a second time. */
    String ATTRIBUTE = Handling.class.getName();

    /** Whether a request, or whatever it wraps, is being handled already. */
    static boolean isUnderWay(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) != null;
    }

    /** The failure that the handler's framework has answered. */
    HandledFailure handled();

    /**
     * Decides about a response that grew beyond what is held in memory.
     *
     * @return where the response goes from here, from its first byte
     */
    OutputStream overflow() throws IOException;

    /** Runs a listener's call when the handler has returned, as a container does. */
    void executeLater(Runnable task);

    AsyncContext startAsync(Supplier<AsyncContext> container, ServletRequest request, ServletResponse response);

    /**
     * The context of a handler that has started asynchronous processing.
     *
     * @param container what the container says otherwise: an exception, or in MockMvc null
     */
    AsyncContext asyncContext(Supplier<AsyncContext> container);
}

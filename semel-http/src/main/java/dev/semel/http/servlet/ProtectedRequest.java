package dev.semel.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpUpgradeHandler;
import org.jspecify.annotations.Nullable;

/** The request that the handler of a protected request sees. */
final class ProtectedRequest extends BufferedRequest {

    private final Handling handling;

    ProtectedRequest(HttpServletRequest request, RequestBody body, CapturedResponse response, Handling handling) {
        super(request, body, response);
        this.handling = handling;
    }

    @Override
    void executeLater(Runnable task) {
        handling.executeLater(task);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        super.setAttribute(name, value);
        handling.handled().attributeSet(name, value);
    }

    @Override
    public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
        return handling.startAsync(() -> super.startAsync(request, response), request, response);
    }

    @Override
    public AsyncContext getAsyncContext() {
        return handling.asyncContext(super::getAsyncContext);
    }

    /** A connection that is no longer HTTP has no response that could be recorded. */
    @Override
    public <T extends HttpUpgradeHandler> T upgrade(Class<T> handlerClass) throws ServletException {
        throw new ServletException("a protected request cannot be upgraded: leave its route unprotected");
    }
}

package dev.semel.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous processing of a protected request, as its handler sees it: completing it settles the record and writes the
 * response before the container completes.
 *
 * <p>It is also the only listener that is registered with the container. It calls the handler's listeners, with events that
 * refer to this context, and decides what a timeout or an error means after they have run.
 */
final class ProtectedAsyncContext implements AsyncContext, AsyncListener {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private final Exchange exchange;
    private final AsyncContext container;
    private final ServletRequest request;
    private final ServletResponse response;
    private final List<Registered> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<@Nullable Void> completed = new CompletableFuture<>();
    private volatile boolean completing;
    private volatile boolean dispatched;

    private record Registered(
            AsyncListener listener,
            @Nullable ServletRequest request,
            @Nullable ServletResponse response) {}

    ProtectedAsyncContext(Exchange exchange, AsyncContext container, ServletRequest request, ServletResponse response) {
        this.exchange = exchange;
        this.container = container;
        this.request = request;
        this.response = response;
    }

    @Override
    public ServletRequest getRequest() {
        return request;
    }

    @Override
    public ServletResponse getResponse() {
        return response;
    }

    @Override
    public boolean hasOriginalRequestAndResponse() {
        return request instanceof ProtectedRequest && response instanceof CapturedResponse;
    }

    @Override
    public void dispatch() {
        dispatched = true;
        container.dispatch();
    }

    @Override
    public void dispatch(String path) {
        dispatched = true;
        container.dispatch(path);
    }

    @Override
    public void dispatch(ServletContext context, String path) {
        dispatched = true;
        container.dispatch(context, path);
    }

    @Override
    public void complete() {
        completing = true;
        try {
            exchange.complete(this);
        } finally {
            completed.complete(null);
        }
    }

    /** Completes the request in the container. */
    void completeContainer() {
        try {
            container.complete();
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "the container had completed the request before", e);
        }
    }

    @Override
    public void start(Runnable task) {
        container.start(task);
    }

    @Override
    public void addListener(AsyncListener listener) {
        listeners.add(new Registered(listener, null, null));
    }

    @Override
    public void addListener(AsyncListener listener, ServletRequest suppliedRequest, ServletResponse suppliedResponse) {
        listeners.add(new Registered(listener, suppliedRequest, suppliedResponse));
    }

    @Override
    public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
        return container.createListener(type);
    }

    @Override
    public void setTimeout(long millis) {
        container.setTimeout(millis);
    }

    @Override
    public long getTimeout() {
        return container.getTimeout();
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        callAll(event.getThrowable(), AsyncListener::onTimeout);
        if (completing) {
            completed.join();
        } else if (!dispatched) {
            exchange.timedOut(this);
        }
    }

    @Override
    public void onError(AsyncEvent event) {
        exchange.handled().containerFailed(event.getThrowable());
        callAll(event.getThrowable(), AsyncListener::onError);
        if (completing) {
            completed.join();
        } else if (!dispatched) {
            exchange.failedAsync(this, event.getThrowable());
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        callAll(event.getThrowable(), AsyncListener::onComplete);
        exchange.completedByContainer();
    }

    /** Does nothing: the exchange calls the listeners itself, with the new context. */
    @Override
    public void onStartAsync(AsyncEvent event) {}

    /** Calls the listeners after processing was started again, with the new context. */
    void restarted(ProtectedAsyncContext next) {
        for (Registered registered : listeners) {
            next.call(registered, null, AsyncListener::onStartAsync);
        }
    }

    private interface Call {
        void on(AsyncListener listener, AsyncEvent event) throws IOException;
    }

    private void callAll(@Nullable Throwable failure, Call call) {
        for (Registered registered : listeners) {
            call(registered, failure, call);
        }
    }

    private void call(Registered registered, @Nullable Throwable failure, Call call) {
        try {
            call.on(registered.listener(), new AsyncEvent(this, registered.request(), registered.response(), failure));
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.WARNING, "an asynchronous listener failed", e);
        }
    }
}

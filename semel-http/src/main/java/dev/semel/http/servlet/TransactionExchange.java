package dev.semel.http.servlet;

import dev.semel.adapter.RunningAttempt;
import dev.semel.http.Ending;
import dev.semel.http.Gate;
import dev.semel.http.HandlerResult;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Run;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.sql.Connection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One protected request whose claim, handler and record are one transaction, on one thread.
 *
 * <ol>
 *   <li>The handler runs within the transaction. Its response, however long, stays in memory.
 *   <li>The run is settled with the result, within the transaction.
 *   <li>The transaction ends, and only then is anything written to the container's response.
 * </ol>
 */
final class TransactionExchange implements Handling {

    private static final String ASYNC =
            "The handler started asynchronous processing, but a transaction belongs to the thread that began it.";
    private static final String TOO_LARGE =
            "The handler's response is too large to be held in memory, but none of it may"
                    + " leave before the transaction has committed.";

    private final HttpServletRequest given;
    private final HttpServletResponse real;
    private final ProtectedRequest request;
    private final CapturedResponse response;
    private final HandledFailure handled = new HandledFailure();
    private @Nullable Throwable thrown;
    private @Nullable String unsupported;

    TransactionExchange(RoutePolicy policy, HttpServletRequest given, RequestBody body, HttpServletResponse real) {
        this.given = given;
        this.real = real;
        this.response = new CapturedResponse(real, this, policy.maxHeldResponse());
        this.request = new ProtectedRequest(given, body, response, this);
    }

    void run(Gate gate, RoutePolicy policy, RequestView view, FilterChain chain) throws IOException, ServletException {
        given.setAttribute(ATTRIBUTE, this);
        Ending ending = gate.transact(policy, view, (run, connection) -> handle(run, connection, chain));
        try {
            deliver(ending);
        } finally {
            if (given.isAsyncStarted()) {
                given.getAsyncContext().complete();
            }
        }
    }

    private Ending handle(Run run, Connection connection, FilterChain chain) {
        SemelFilter.show(given, run.attempt(), HandlerConnection.of(connection));
        RunningAttempt.Entered entered = run.enter();
        try {
            chain.doFilter(request, response);
            response.flushWriter();
        } catch (Throwable e) {
            thrown = e;
        } finally {
            entered.leave();
            SemelFilter.hideConnection(given);
        }
        return run.settleAndWait(result());
    }

    private HandlerResult result() {
        if (unsupported == null && given.isAsyncStarted()) {
            unsupported = ASYNC;
        }
        if (unsupported != null) {
            return new HandlerResult.Unsupported(unsupported);
        }
        if (handled.isNotRouted()) {
            return new HandlerResult.NotRouted();
        }
        return thrown == null
                ? response.result(handled.failure())
                : new HandlerResult.Failed(Exchange.unwrapped(thrown));
    }

    private void deliver(Ending ending) throws IOException, ServletException {
        if (ending instanceof Ending.Replacement replacement) {
            AnswerWriter.write(replacement.answer(), real);
            return;
        }
        rethrow();
        Throwable unanswered = response.result(handled.failure()).unanswered();
        if (unanswered != null) {
            throw new ServletException(unanswered);
        }
        response.sendTo(real, ending.headers());
    }

    private void rethrow() throws IOException, ServletException {
        if (thrown instanceof IOException e) {
            throw e;
        }
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        if (thrown != null) {
            throw thrown instanceof ServletException e ? e : new ServletException(thrown);
        }
    }

    @Override
    public HandledFailure handled() {
        return handled;
    }

    @Override
    public OutputStream overflow() {
        throw refused(TOO_LARGE);
    }

    @Override
    public void executeLater(Runnable task) {
        throw refused(ASYNC);
    }

    @Override
    public AsyncContext startAsync(Supplier<AsyncContext> container, ServletRequest asked, ServletResponse answered) {
        throw refused(ASYNC);
    }

    @Override
    public AsyncContext asyncContext(Supplier<AsyncContext> container) {
        return container.get();
    }

    /** Its request is rolled back even if the handler catches this exception. */
    private IllegalStateException refused(String why) {
        unsupported = why;
        return new IllegalStateException(why);
    }
}

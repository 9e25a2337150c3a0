package dev.semel.http.servlet;

import dev.semel.adapter.RunningAttempt;
import dev.semel.http.Ending;
import dev.semel.http.HandlerResult;
import dev.semel.http.Run;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One protected request from the claim to the last byte, over as many dispatches and threads as its handler takes.
 *
 * <ol>
 *   <li>It ends once: when a dispatch returns without having started asynchronous processing, when that is completed,
 *       when it times out or fails, or when the response grows beyond what is recorded. The first of these settles.
 *   <li>Only then, and only by the thread that settled, is anything written to the container's response.
 *   <li>A client that disconnects changes nothing: the handler goes on, and its response is recorded.
 * </ol>
 */
final class Exchange implements Handling {

    private static final System.Logger LOG = System.getLogger("dev.semel.http");

    private enum Phase {
        OPEN,
        ENDING,
        /** Settled, and the rest of a large response goes straight to the client. */
        STREAMING,
        ENDED
    }

    private final Run run;
    private final TimeLimits limits;
    private final HttpServletResponse real;
    private final ProtectedRequest request;
    private final CapturedResponse response;
    private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.OPEN);
    private final Queue<Runnable> afterDispatch = new ArrayDeque<>();
    private volatile @Nullable ProtectedAsyncContext async;
    private volatile boolean asyncStarted;
    private volatile boolean clientGone;
    private volatile @Nullable Thread dispatching;
    private final HandledFailure handled = new HandledFailure();

    Exchange(Run run, TimeLimits limits, HttpServletRequest request, RequestBody body, HttpServletResponse response) {
        this.run = run;
        this.limits = limits;
        this.real = response;
        this.response = new CapturedResponse(response, this, run.policy().maxHeldResponse());
        this.request = new ProtectedRequest(request, body, this.response, this);
    }

    /** The exchange of a request, or of the request that it wraps. */
    static Optional<Exchange> of(ServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Exchange exchange ? Optional.of(exchange) : Optional.empty();
    }

    void begin(FilterChain chain) throws IOException, ServletException {
        request.setAttribute(ATTRIBUTE, this);
        dispatch(request, response, chain);
    }

    /** Runs the handler again, after it dispatched asynchronously. */
    void resume(ServletRequest given, ServletResponse givenResponse, FilterChain chain)
            throws IOException, ServletException {
        asyncStarted = false;
        if (phase.get() == Phase.ENDED) {
            return;
        }
        boolean ours = given == request || (given instanceof ServletRequestWrapper w && w.isWrapperFor(request));
        dispatch(ours ? given : request, ours ? givenResponse : response, chain);
    }

    private void dispatch(ServletRequest givenRequest, ServletResponse givenResponse, FilterChain chain)
            throws IOException, ServletException {
        dispatching = Thread.currentThread();
        RunningAttempt.Entered entered = run.enter();
        try {
            chain.doFilter(givenRequest, givenResponse);
        } catch (IOException | ServletException | RuntimeException | Error e) {
            if (!answeredFailure(e)) {
                throw e;
            }
            return;
        } finally {
            entered.leave();
            dispatching = null;
        }
        for (Runnable task = afterDispatch.poll(); task != null; task = afterDispatch.poll()) {
            task.run();
        }
        if (asyncStarted) {
            return;
        }
        if (request.isAsyncStarted()) {
            abandon("async_started_on_another_request");
        } else {
            end();
        }
    }

    /** Settles a failure of the handler; false leaves the exception to the container. */
    private boolean answeredFailure(Throwable failure) throws IOException {
        if (!phase.compareAndSet(Phase.OPEN, Phase.ENDING)) {
            return false;
        }
        try {
            Ending ending = settle(new HandlerResult.Failed(unwrapped(failure)));
            if (!(ending instanceof Ending.Replacement)) {
                return false;
            }
            deliver(ending);
        } finally {
            phase.set(Phase.ENDED);
        }
        ProtectedAsyncContext context = async;
        if (context != null && asyncStarted) {
            context.completeContainer();
        }
        return true;
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof ServletException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /**
     * Settles what the handler produced, and then writes it.
     *
     * @return false when the exchange had ended before
     */
    private boolean end() throws IOException, ServletException {
        response.flushWriter();
        if (phase.compareAndSet(Phase.STREAMING, Phase.ENDED)) {
            return true;
        }
        if (!phase.compareAndSet(Phase.OPEN, Phase.ENDING)) {
            return false;
        }
        try {
            if (handled.isTimeout()) {
                deliver(run.settleAndWait(new HandlerResult.Undetermined("async_timeout")));
            } else if (handled.isLossOfClient()) {
                deliver(run.settleAndWait(new HandlerResult.Undetermined("client_gone")));
            } else {
                endWith(response.result(handled.failure()));
            }
        } finally {
            phase.set(Phase.ENDED);
        }
        return true;
    }

    private void endWith(HandlerResult produced) throws IOException, ServletException {
        Ending ending = settle(produced);
        Throwable unanswered = produced.unanswered();
        if (ending instanceof Ending.AsProduced && unanswered != null) {
            throw new ServletException(unanswered);
        }
        deliver(ending);
    }

    /** Settles on the calling thread, which has nothing else to do until the response may be sent. */
    private Ending settle(HandlerResult result) {
        return run.settleAndWait(handled.isNotRouted() ? new HandlerResult.NotRouted() : result);
    }

    private void deliver(Ending ending) throws IOException {
        if (clientGone) {
            return;
        }
        if (ending instanceof Ending.Replacement replacement) {
            AnswerWriter.write(replacement.answer(), real);
        } else {
            response.sendTo(real, ending.headers());
        }
    }

    /**
     * Settles a response that grew beyond what is recorded, before any of it is sent.
     *
     * @return where the response goes from here, from its first byte
     */
    @Override
    public OutputStream overflow() throws IOException {
        if (!phase.compareAndSet(Phase.OPEN, Phase.STREAMING)) {
            return OutputStream.nullOutputStream();
        }
        Ending ending = settle(new HandlerResult.TooLarge(response.getStatus(), response.headers()));
        if (clientGone) {
            return OutputStream.nullOutputStream();
        }
        if (ending instanceof Ending.Replacement replacement) {
            AnswerWriter.write(replacement.answer(), real);
            return OutputStream.nullOutputStream();
        }
        return response.streamTo(real, ending.headers());
    }

    @Override
    public HandledFailure handled() {
        return handled;
    }

    @Override
    public AsyncContext startAsync(
            Supplier<AsyncContext> container, ServletRequest given, ServletResponse givenResponse) {
        AsyncContext started = container.get();
        if (!real.isCommitted()) {
            // A completion that bypasses this class must not look like a success.
            real.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
        ProtectedAsyncContext before = async;
        ProtectedAsyncContext context = new ProtectedAsyncContext(this, started, given, givenResponse);
        started.addListener(context);
        async = context;
        asyncStarted = true;
        if (before != null) {
            before.restarted(context);
        }
        return context;
    }

    @Override
    public AsyncContext asyncContext(Supplier<AsyncContext> container) {
        ProtectedAsyncContext context = async;
        return context != null ? context : container.get();
    }

    @Override
    public void executeLater(Runnable task) {
        if (Thread.currentThread() == dispatching) {
            afterDispatch.add(task);
        } else {
            Objects.requireNonNull(async).start(task);
        }
    }

    void complete(ProtectedAsyncContext context) {
        try {
            if (!end()) {
                endLate();
                return;
            }
        } catch (ServletException e) {
            LOG.log(Level.ERROR, "an asynchronous handler failed; its failure is not recorded", e);
            sendServerError();
        } catch (IOException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "the client disconnected before it got its response, which is recorded", e);
        }
        if (!clientGone) {
            context.completeContainer();
        }
    }

    /** The request has been answered before; this response is recorded for the next retry. */
    private void endLate() {
        if (response.error() == null) {
            run.settleLate(response.getStatus(), response.headers(), response.isTooLarge() ? null : response.body());
        }
    }

    private void sendServerError() {
        if (!clientGone && !real.isCommitted()) {
            real.setStatus(HttpServletResponse.SC_INTERNAL_SERVER_ERROR);
        }
    }

    /** The handler may still be running, so that a timeout proves nothing. */
    void timedOut(ProtectedAsyncContext context) {
        answer(context, new HandlerResult.Undetermined("async_timeout"));
    }

    void failedAsync(ProtectedAsyncContext context, @Nullable Throwable failure) {
        if (HandledFailure.isLostConnection(failure)) {
            clientGone = true;
            response.detach();
            giveUpAfter(context.getTimeout());
        } else {
            answer(
                    context,
                    failure == null
                            ? new HandlerResult.Undetermined("async_error")
                            : new HandlerResult.Failed(unwrapped(failure)));
        }
    }

    private void answer(ProtectedAsyncContext context, HandlerResult result) {
        if (!phase.compareAndSet(Phase.OPEN, Phase.ENDING)) {
            return;
        }
        try {
            Ending ending = run.settleAndWait(result);
            if (ending instanceof Ending.Replacement) {
                deliver(ending);
                context.completeContainer();
            }
        } catch (IOException | IllegalStateException e) {
            LOG.log(Level.DEBUG, "the client disconnected before it was answered that its request failed", e);
        } finally {
            response.detach();
            phase.set(Phase.ENDED);
        }
    }

    /** After its client has disconnected, a handler keeps the time limit that it had. */
    private void giveUpAfter(long millis) {
        if (millis > 0) {
            limits.after(Duration.ofMillis(millis), () -> abandon("client_gone_and_no_answer"));
        }
    }

    /** The container has completed the request. If that bypassed this class, it is unknown what the client got. */
    void completedByContainer() {
        response.detach();
        if (!clientGone) {
            abandon("completed_without_the_filter (is it mapped for the dispatcher type ASYNC?)");
        }
    }

    private void abandon(String reason) {
        if (phase.compareAndSet(Phase.OPEN, Phase.ENDING)) {
            CompletionStage<Ending> unused = run.settle(new HandlerResult.Undetermined(reason));
            phase.set(Phase.ENDED);
        }
    }
}

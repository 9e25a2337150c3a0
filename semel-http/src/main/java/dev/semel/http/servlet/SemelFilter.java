package dev.semel.http.servlet;

import dev.semel.Attempt;
import dev.semel.http.Admission;
import dev.semel.http.Answer;
import dev.semel.http.Decision;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.Connection;
import java.util.Optional;

/**
 * The servlet filter that makes the routes of a {@link Gate} safe to retry.
 *
 * <p>Map it after authentication, for the dispatcher types {@code REQUEST} and {@code ASYNC}, with asynchronous
 * processing supported, on every protected path and on that of the status resource:
 *
 * <pre>{@code
 * FilterRegistration.Dynamic filter = context.addFilter("semel", new SemelFilter(gate));
 * filter.setAsyncSupported(true);
 * filter.addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC), true, "/*");
 * }</pre>
 *
 * <p>Other dispatches, such as forwards and those to error pages, belong to a request that was decided on before, and
 * pass through.
 */
public final class SemelFilter implements Filter {

    private static final String ATTEMPT = Attempt.class.getName();
    static final String NOT_ROUTED = SemelFilter.class.getName() + ".notRouted";
    private static final String CONNECTION = SemelFilter.class.getName() + ".connection";

    private final Gate gate;
    private final TimeLimits limits = new TimeLimits();

    public SemelFilter(Gate gate) {
        this.gate = gate;
    }

    /** The attempt that a protected request runs in, for handlers that derive keys from it or declare its outcome. */
    public static Optional<Attempt> attempt(ServletRequest request) {
        return request.getAttribute(ATTEMPT) instanceof Attempt attempt ? Optional.of(attempt) : Optional.empty();
    }

    /**
     * The connection of the transaction that a request runs in, on a route that is
     * {@link dev.semel.http.RoutePolicyBuilder#inTransaction in one}: what the handler writes through it commits together
     * with the record. The transaction ends when the handler has returned, so that committing here is refused.
     *
     * <p>With Spring's transactions the application's own data source leads to the same connection.
     */
    public static Optional<Connection> connection(ServletRequest request) {
        return request.getAttribute(CONNECTION) instanceof Connection connection
                ? Optional.of(connection)
                : Optional.empty();
    }

    /**
     * Marks a request for which the framework behind the filter chose no handler: whatever it answers (404, 405, 415), nothing
     * was executed, and the key is released. For adapters of frameworks; the Spring Boot starter has that of Spring MVC.
     */
    public static void notRouted(ServletRequest request) {
        request.setAttribute(NOT_ROUTED, true);
    }

    static void show(ServletRequest request, Attempt attempt, Connection connection) {
        request.setAttribute(ATTEMPT, attempt);
        request.setAttribute(CONNECTION, connection);
    }

    static void hideConnection(ServletRequest request) {
        request.removeAttribute(CONNECTION);
    }

    @Override
    public void doFilter(ServletRequest given, ServletResponse givenResponse, FilterChain chain)
            throws IOException, ServletException {
        if (!(given instanceof HttpServletRequest request)
                || !(givenResponse instanceof HttpServletResponse response)) {
            chain.doFilter(given, givenResponse);
            return;
        }
        Optional<Exchange> running = Exchange.of(request);
        if (request.getDispatcherType() == DispatcherType.ASYNC && running.isPresent()) {
            running.get().resume(request, response, chain);
        } else if (request.getDispatcherType() == DispatcherType.REQUEST && !Handling.isUnderWay(request)) {
            first(request, response, chain);
        } else if (request.getDispatcherType() == DispatcherType.ASYNC) {
            passThrough(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Ends the filter's threads. The engine is closed by the application that opened it. */
    @Override
    public void destroy() {
        limits.close();
    }

    private void first(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        RequestView head = RequestHead.of(request);
        Admission admission = gate.admit(head);
        if (admission instanceof Admission.Protect protect) {
            protect(protect.policy(), head, request, response, chain);
        } else if (admission instanceof Admission.Reply reply) {
            AnswerWriter.write(reply.answer(), response);
        } else if (admission instanceof Admission.Status) {
            AnswerWriter.write(gate.status(head.withOwn(() -> request)), response);
        } else {
            passThrough(request, response, chain);
        }
    }

    /** Runs a handler without protection. A call that it makes to the engine itself may be refused. */
    private void passThrough(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        try {
            chain.doFilter(request, response);
        } catch (ServletException | RuntimeException e) {
            Answer refusal = response.isCommitted() || request.isAsyncStarted()
                    ? null
                    : gate.refusalOf(Exchange.unwrapped(e), RequestHead.of(request))
                            .orElse(null);
            if (refusal == null) {
                throw e;
            }
            AnswerWriter.writeInstead(refusal, response);
        }
    }

    private void protect(
            RoutePolicy policy,
            RequestView head,
            HttpServletRequest request,
            HttpServletResponse response,
            FilterChain chain)
            throws IOException, ServletException {
        Optional<RequestBody> read = RequestBody.read(request, policy.maxRequestBody());
        if (read.isEmpty()) {
            AnswerWriter.write(gate.bodyTooLarge(policy, head), response);
            return;
        }
        RequestBody body = read.get();
        RequestView view = head.withBody(body.content()).withOwn(() -> new BufferedRequest(request, body, response));
        if (policy.isInTransaction()) {
            new TransactionExchange(policy, request, body, response).run(gate, policy, view, chain);
            return;
        }
        Decision decision = gate.claim(policy, view);
        if (decision instanceof Decision.Reply reply) {
            AnswerWriter.write(reply.answer(), response);
        } else if (decision instanceof Decision.Proceed proceed) {
            Exchange exchange = new Exchange(proceed.run(), limits, request, body, response);
            request.setAttribute(ATTEMPT, proceed.run().attempt());
            exchange.begin(chain);
        } else {
            response.setHeader(Answer.PROTECTED, "false");
            passThrough(new BufferedRequest(request, body, response), response, chain);
        }
    }
}

package dev.semel.http.jdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.semel.Attempt;
import dev.semel.http.Admission;
import dev.semel.http.Answer;
import dev.semel.http.Body;
import dev.semel.http.Decision;
import dev.semel.http.Gate;
import dev.semel.http.RequestView;
import dev.semel.http.RoutePolicy;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Optional;

/**
 * The handler for the JDK's {@code HttpServer} that makes the routes of a {@link Gate} safe to retry, around the handler of an
 * application:
 *
 * <pre>{@code
 * server.createContext("/payments", new SemelHttpHandler(gate, payments)).setAuthenticator(authenticator);
 * server.createContext("/idempotency/status", SemelHttpHandler.status(gate)).setAuthenticator(authenticator);
 * }</pre>
 *
 * <ol>
 *   <li>It is a handler and not a filter because the server calls filters before the {@code Authenticator}: a filter would
 *       replay responses to callers that were not authenticated.
 *   <li>Routes are whole paths of requests, not parts of a context's path. The owner of a key is the principal with its realm.
 *   <li>The application's handler gets an exchange that holds its response in memory. When it has returned and closed the
 *       exchange, or closed it on another thread later, the record is settled, and only then is anything sent.
 * </ol>
 */
public final class SemelHttpHandler implements HttpHandler {

    static final String ATTEMPT = Attempt.class.getName();

    private static final int NOT_FOUND = 404;

    private final Gate gate;
    private final HttpHandler handler;

    /** @throws IllegalArgumentException when a route is in a transaction, which this transport does not support */
    public SemelHttpHandler(Gate gate, HttpHandler handler) {
        if (gate.hasTransactions()) {
            throw new IllegalArgumentException(
                    "a route is in a transaction, but a handler of the JDK's server may answer on any thread;"
                            + " use the servlet filter for that route, or call the engine in the handler");
        }
        this.gate = gate;
        this.handler = handler;
    }

    /** A handler for the status resource alone: other paths and methods are 404. */
    public static SemelHttpHandler status(Gate gate) {
        return new SemelHttpHandler(gate, exchange -> exchange.sendResponseHeaders(NOT_FOUND, -1));
    }

    /** The attempt that a protected request runs in, for handlers that derive keys from it or declare its outcome. */
    public static Optional<Attempt> attempt(HttpExchange exchange) {
        return exchange.getAttribute(ATTEMPT) instanceof Attempt attempt ? Optional.of(attempt) : Optional.empty();
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        RequestView head = RequestHead.of(exchange);
        Admission admission = gate.admit(head);
        if (admission instanceof Admission.Protect protect) {
            protect(protect.policy(), head, exchange);
        } else if (admission instanceof Admission.Reply reply) {
            AnswerWriter.write(reply.answer(), exchange);
        } else if (admission instanceof Admission.Status) {
            AnswerWriter.write(gate.status(head.withOwn(() -> exchange)), exchange);
        } else {
            passThrough(head, exchange);
        }
    }

    private void protect(RoutePolicy policy, RequestView head, HttpExchange exchange) throws IOException {
        Body body = RequestBody.read(exchange, policy.maxRequestBody()).orElse(null);
        if (body == null) {
            AnswerWriter.write(gate.bodyTooLarge(policy, head), exchange);
            return;
        }
        Decision decision = gate.claim(policy, head.withBody(body).withOwn(() -> exchange));
        if (decision instanceof Decision.Reply reply) {
            AnswerWriter.write(reply.answer(), exchange);
        } else if (decision instanceof Decision.Proceed proceed) {
            new ProtectedRequest(proceed.run(), exchange, body).handleWith(handler);
        } else {
            exchange.getResponseHeaders().set(Answer.PROTECTED, "false");
            exchange.setStreams(new ByteArrayInputStream(body.bytes()), null);
            passThrough(head, exchange);
        }
    }

    /** Runs the handler without protection. A call that it makes to the engine itself may be refused. */
    private void passThrough(RequestView head, HttpExchange exchange) throws IOException {
        try {
            handler.handle(exchange);
        } catch (RuntimeException e) {
            boolean sent = exchange.getResponseCode() >= 0;
            Answer refusal = sent ? null : gate.refusalOf(e, head).orElse(null);
            if (refusal == null) {
                throw e;
            }
            AnswerWriter.write(refusal, exchange);
        }
    }
}

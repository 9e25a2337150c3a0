package dev.semel.server.gateway;

import dev.semel.http.Admission;
import dev.semel.http.Answer;
import dev.semel.http.Gate;
import dev.semel.http.Headers;
import dev.semel.http.RequestView;
import dev.semel.http.SafeMethods;
import dev.semel.http.key.Peer;
import io.netty.handler.codec.TooLongFrameException;
import io.vertx.core.http.HttpServerRequest;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The first to see a request: finds its route, asks the gate about its head, and hands it on. */
final class Front {

    private static final System.Logger LOG = System.getLogger("dev.semel.gateway");

    private final Supplier<Routing> current;
    private final Exchanges exchanges;
    private final AccessLog log;

    /** @param current the configuration in force */
    Front(Supplier<Routing> current, Exchanges exchanges, AccessLog log) {
        this.current = current;
        this.exchanges = exchanges;
        this.log = log;
    }

    /** @param connections those of the event loop that the request is on */
    void handle(HttpServerRequest request, ClientConnections connections) {
        if (connections.isUnreadable(request.connection())) {
            request.connection().close();
            return;
        }
        connections.began(request.connection());
        Exchanges.Place place = exchanges.enter();
        AccessEntry entry = log.isOn() ? new AccessEntry(log, request) : null;
        ClientAnswer client = new ClientAnswer(request, connections.stalls(), (answered, complete) -> {
            connections.ended(request.connection());
            if (place != null) {
                place.release();
            }
            if (entry != null) {
                entry.write(answered, complete);
            }
        });
        Headers headers = HopByHop.linesOf(request.headers());
        RequestTarget target = RequestTarget.of(request);
        if (target == null || HopByHop.hasMisspelledName(headers) || Http2Head.isMalformed(request, headers)) {
            sendAndClose(request, client, connections, GatewayProblems.malformed());
        } else if (place == null) {
            sendAndClose(request, client, connections, GatewayProblems.overloaded());
        } else {
            Exchange.Seat seat = new Exchange.Seat(exchanges, place, connections.stalls());
            try {
                route(new Head(request, headers, target), client, connections, seat, entry);
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.ERROR, "a request was not forwarded, because the gateway failed", e);
                sendAndClose(request, client, connections, GatewayProblems.internal());
            }
        }
    }

    /** What a request begins with. */
    private record Head(HttpServerRequest request, Headers headers, RequestTarget target) {}

    /**
     * Answers a request whose head could not be read, and takes nothing more from its connection.
     *
     * @param connections those of the event loop that the request is on
     */
    void refuse(HttpServerRequest request, ClientConnections connections) {
        Throwable cause = request.decoderResult().cause();
        if (cause instanceof TooLongFrameException || request.version() == null) {
            HttpServerRequest.DEFAULT_INVALID_REQUEST_HANDLER.handle(request);
            return;
        }
        connections.began(request.connection());
        boolean known = cause instanceof StrictRequestDecoder.RefusedException;
        AccessEntry entry = log.isOn() && known ? new AccessEntry(log, request) : null;
        ClientAnswer client = new ClientAnswer(request, connections.stalls(), (answered, complete) -> {
            connections.ended(request.connection());
            if (entry != null) {
                entry.write(answered, complete);
            }
        });
        sendAndClose(request, client, connections, GatewayProblems.malformed());
    }

    private void route(
            Head received,
            ClientAnswer client,
            ClientConnections connections,
            Exchange.Seat seat,
            @Nullable AccessEntry entry) {
        HttpServerRequest request = received.request();
        RequestTarget target = received.target();
        Routing routing = current.get();
        String address = request.remoteAddress().hostAddress();
        RequestView view = viewOf(received, address, routing.caller(request));
        ForwardedHead.Client peer = new ForwardedHead.Client(address, routing.trusts(address));
        ForwardedHead head = ForwardedHead.of(request, received.headers(), target, peer);
        Exchange exchange = new Exchange(request, routing, view, head, client, seat, entry);
        WebhookEndpoint webhook = routing.webhook(view);
        if (webhook != null) {
            if (entry != null) {
                entry.on(webhook.route());
            }
            webhook.receive(exchange);
            return;
        }
        Routing.Matched matched = routing.match(target, view).orElse(null);
        if (matched == null) {
            Admission published =
                    SafeMethods.contains(view.method()) ? routing.gate().admit(view) : new Admission.PassThrough();
            client.send(published instanceof Admission.Reply page ? page.answer() : GatewayProblems.noRoute());
            return;
        }
        if (entry != null) {
            entry.on(matched.route());
        }
        if (matched.admission() instanceof Admission.Reply reply && request.getHeader("Expect") != null) {
            // The body that the client held back would be taken for the next request.
            sendAndClose(request, client, connections, reply.answer());
        } else {
            follow(exchange, matched.route(), matched.admission());
        }
    }

    /** Answers, and takes nothing more from the connection: where the next request begins is not certain. */
    private static void sendAndClose(
            HttpServerRequest request, ClientAnswer client, ClientConnections connections, Answer answer) {
        if (client.isHttp1()) {
            connections.takeNoMore(request.connection());
            client.closeAfter();
        }
        client.send(answer);
    }

    private static void follow(Exchange exchange, Route route, Admission admission) {
        if (admission instanceof Admission.Protect protect) {
            exchange.request().pause();
            new ProtectedRequest(exchange, route, protect.policy()).start();
        } else if (admission instanceof Admission.Reply reply) {
            exchange.client().send(reply.answer());
        } else if (admission instanceof Admission.Status) {
            answerStatus(exchange);
        } else {
            pass(exchange, route);
        }
    }

    private static void pass(Exchange exchange, Route route) {
        if (HopByHop.asksForWebSocket(exchange.request())) {
            new Tunnel(exchange, route.upstream()).open();
        } else {
            new PassThrough(exchange, route.upstream()).forward();
        }
    }

    /** The store is asked on a worker, since that blocks. */
    private static void answerStatus(Exchange exchange) {
        Gate gate = exchange.routing().gate();
        exchange.client().as(RequestOutcome.STATUS);
        exchange.context()
                .executeBlocking(() -> gate.status(exchange.view()), false)
                .onComplete(
                        answer -> exchange.client().send(answer),
                        failure -> exchange.client().send(GatewayProblems.internal()));
    }

    private static RequestView viewOf(Head received, String address, @Nullable String caller) {
        HttpServerRequest request = received.request();
        return RequestView.of(request.method().name(), received.target().path())
                .rawQuery(received.target().query())
                .headers(received.headers())
                .user(caller)
                .peer(new Peer(address, subjectOf(request.sslSession())))
                .build();
    }

    private static @Nullable String subjectOf(@Nullable SSLSession session) {
        if (session == null) {
            return null;
        }
        try {
            return session.getPeerPrincipal().getName();
        } catch (SSLPeerUnverifiedException e) {
            return null;
        }
    }
}

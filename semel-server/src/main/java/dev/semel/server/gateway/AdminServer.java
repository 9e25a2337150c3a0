package dev.semel.server.gateway;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.server.console.AdminHandler;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * What operators ask a gateway: whether it lives, whether its store answers, and what it counted; and where services settle
 * outcomes. On a listener of its own.
 */
final class AdminServer {

    private static final long STORE_SECONDS = 2;

    private final SemelEngine semel;
    private final Supplier<String> metrics;
    private final SettleEndpoint settle;
    private final Optional<AdminHandler> console;

    /**
     * @param metrics the text of all meters
     * @param console empty where it is not served
     */
    AdminServer(SemelEngine semel, Supplier<String> metrics, SettleEndpoint settle, Optional<AdminHandler> console) {
        this.semel = semel;
        this.metrics = metrics;
        this.settle = settle;
        this.console = console;
    }

    /** Completes with the server when it listens. */
    Future<HttpServer> listen(Vertx vertx, String host, int port) {
        return vertx.createHttpServer()
                .connectionHandler(HeadDeadline::reached)
                .requestHandler(this::handle)
                .listen(port, host);
    }

    private void handle(HttpServerRequest request) {
        if (request.path().equals(SettleEndpoint.PATH)) {
            settle.handle(request);
            return;
        }
        if (console.isPresent() && AdminHandler.isMine(request)) {
            console.get().handle(request);
            return;
        }
        boolean reads =
                request.method().name().equals("GET") || request.method().name().equals("HEAD");
        if (!reads) {
            answer(request, 405, "only GET and HEAD are answered here\n");
            return;
        }
        switch (request.path()) {
            case "/healthz" -> answer(request, 200, "alive\n");
            case "/readyz" -> ready(request);
            case "/metrics" -> {
                request.response().putHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
                answer(request, 200, metrics.get());
            }
            default ->
                answer(
                        request,
                        404,
                        "there are /healthz, /readyz, /metrics and POST " + SettleEndpoint.PATH
                                + (console.isPresent()
                                        ? ", and the console at " + AdminHandler.MOUNT + "/console/\n"
                                        : "; the console needs console.tokens on an address that other machines reach\n"));
        }
    }

    private void ready(HttpServerRequest request) {
        Context context = Vertx.currentContext();
        context.executeBlocking(() -> semel.find(Identity.of("semel-gateway", "ready")), false)
                .timeout(STORE_SECONDS, TimeUnit.SECONDS)
                .onComplete(
                        found -> answer(request, 200, "ready\n"),
                        failure -> answer(request, 503, "the store does not answer\n"));
    }

    private static void answer(HttpServerRequest request, int status, String text) {
        request.response().setStatusCode(status).end(text);
    }
}

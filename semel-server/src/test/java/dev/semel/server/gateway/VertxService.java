package dev.semel.server.gateway;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;

/** A service on loopback that speaks HTTP/1.1, HTTP/2 in clear text, and WebSockets. */
final class VertxService implements AutoCloseable {

    private final Vertx vertx = Vertx.vertx();
    private final HttpServer server;

    VertxService(Handler<HttpServerRequest> handler) throws Exception {
        server = vertx.createHttpServer(new HttpServerOptions())
                .requestHandler(handler)
                .webSocketHandler(socket -> socket.textMessageHandler(text -> socket.writeTextMessage("echo " + text)))
                .listen(0, "127.0.0.1")
                .toCompletionStage()
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
    }

    String url(String scheme) {
        return scheme + "://127.0.0.1:" + server.actualPort();
    }

    @Override
    public void close() throws Exception {
        vertx.close().toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
    }
}

package dev.semel.server.console;

import dev.semel.admin.AdminApi;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionException;

/** A listener that serves the console and nothing else. */
public final class ConsoleServer implements AutoCloseable {

    private final Vertx vertx;
    private final HttpServer server;

    private ConsoleServer(Vertx vertx, HttpServer server) {
        this.vertx = vertx;
        this.server = server;
    }

    /**
     * Starts to serve.
     *
     * @throws IllegalStateException when the address cannot be listened on
     */
    public static ConsoleServer start(AdminApi api, String host, int port) {
        Vertx vertx = Vertx.vertx();
        AdminHandler handler = new AdminHandler(api);
        try {
            HttpServer server = vertx.createHttpServer(new HttpServerOptions().setTcpNoDelay(true))
                    .requestHandler(request -> handle(handler, request))
                    .listen(port, host)
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
            return new ConsoleServer(vertx, server);
        } catch (CompletionException e) {
            vertx.close();
            throw new IllegalStateException(
                    "the console cannot listen on " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    private static void handle(AdminHandler handler, HttpServerRequest request) {
        if (AdminHandler.isMine(request)) {
            handler.handle(request);
        } else if (String.valueOf(request.path()).equals("/")) {
            request.response()
                    .setStatusCode(302)
                    .putHeader("Location", AdminHandler.MOUNT + "/console/")
                    .end();
        } else {
            request.response().setStatusCode(404).end("the console is at /semel/console/\n");
        }
    }

    public int port() {
        return server.actualPort();
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}

package dev.semel.benchmarks.gateway;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** An HTTP server on a free port of loopback, with one event loop for each processor, as the gateway has them. */
final class Listener {

    private static final int START_SECONDS = 60;

    private Listener() {}

    /** Starts it, and returns its port. */
    static int start(Vertx vertx, Handler<HttpServerRequest> handler) {
        AtomicInteger port = new AtomicInteger();
        try {
            vertx.deployVerticle(
                            () -> new VerticleBase() {
                                @Override
                                public Future<?> start() {
                                    HttpServer server = vertx.createHttpServer().requestHandler(handler);
                                    // A negative port is a free one that all event loops share.
                                    return server.listen(-1, "127.0.0.1")
                                            .onSuccess(listening -> port.set(listening.actualPort()));
                                }
                            },
                            new DeploymentOptions()
                                    .setInstances(Runtime.getRuntime().availableProcessors()))
                    .toCompletionStage()
                    .toCompletableFuture()
                    .get(START_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new IllegalStateException("the server did not start: " + e.getMessage(), e);
        }
        return port.get();
    }
}

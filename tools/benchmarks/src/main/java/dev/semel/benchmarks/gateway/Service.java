package dev.semel.benchmarks.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;

/** The service behind gateway and hop: it reads a request and answers 201 with a few bytes, as cheaply as Vert.x can. */
final class Service {

    private static final Buffer ANSWER = Buffer.buffer("{\"status\":\"paid\",\"amount\":4200}");

    private Service() {}

    /** Starts it on a free port of loopback. */
    static int start() {
        return Listener.start(Vertx.vertx(), Service::answer);
    }

    private static void answer(HttpServerRequest request) {
        request.endHandler(end -> request.response()
                .setStatusCode(201)
                .putHeader("Content-Type", "application/json")
                .end(ANSWER));
    }
}

package dev.semel.benchmarks.gateway;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.util.Map;

/**
 * The least that a proxy on Vert.x does, to compare with: it reads a request whole, sends method, path, headers and body on a
 * pooled connection, reads the answer whole, and sends that. It protects nothing and drops no header but those of framing.
 */
final class BareHop {

    private static final int MOST_CONNECTIONS = 1000;

    private final int service;
    private final HttpClient client;

    private BareHop(Vertx vertx, int service) {
        this.service = service;
        this.client = vertx.createHttpClient(new PoolOptions().setHttp1MaxSize(MOST_CONNECTIONS));
    }

    /** Starts it on a free port of loopback, in front of a service on another. */
    static int start(int service) {
        Vertx vertx = Vertx.vertx();
        return Listener.start(vertx, new BareHop(vertx, service)::forward);
    }

    private void forward(HttpServerRequest request) {
        request.body()
                .onComplete(
                        body -> client.request(new RequestOptions()
                                        .setHost("127.0.0.1")
                                        .setPort(service)
                                        .setMethod(request.method())
                                        .setURI(request.uri()))
                                .onComplete(ready -> send(request, ready, body), failure -> fail(request)),
                        failure -> fail(request));
    }

    private static void send(HttpServerRequest request, HttpClientRequest ready, Buffer body) {
        for (Map.Entry<String, String> line : request.headers()) {
            if (!isFraming(line.getKey())) {
                ready.headers().add(line.getKey(), line.getValue());
            }
        }
        ready.send(body).onComplete(answer -> answer(request, answer), failure -> fail(request));
    }

    private static void answer(HttpServerRequest request, HttpClientResponse answer) {
        answer.body()
                .onComplete(
                        body -> {
                            request.response().setStatusCode(answer.statusCode());
                            for (Map.Entry<String, String> line : answer.headers()) {
                                if (!isFraming(line.getKey())) {
                                    request.response().headers().add(line.getKey(), line.getValue());
                                }
                            }
                            request.response().end(body);
                        },
                        failure -> fail(request));
    }

    /** What the library writes anew, and the name of the host, in which HTTP/2 differs. */
    private static boolean isFraming(String name) {
        return name.equalsIgnoreCase("content-length")
                || name.equalsIgnoreCase("transfer-encoding")
                || name.equalsIgnoreCase("host")
                || name.startsWith(":");
    }

    private static void fail(HttpServerRequest request) {
        request.response().setStatusCode(502).end();
    }
}

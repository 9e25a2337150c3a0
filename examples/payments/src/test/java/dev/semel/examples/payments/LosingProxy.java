package dev.semel.examples.payments;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy that forwards every request, but only every second response: otherwise it closes the connection. */
final class LosingProxy implements AutoCloseable {

    static {
        // Without it, every request on a kept connection waits for 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** Hop-by-hop headers, and those that the client sets itself. */
    private static final Set<String> HOP_BY_HOP = Set.of(
            "connection",
            "content-length",
            "date",
            "host",
            "http2-settings",
            "keep-alive",
            "transfer-encoding",
            "upgrade");

    private final URI upstream;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final AtomicInteger responses = new AtomicInteger();

    private LosingProxy(URI upstream) throws IOException {
        this.upstream = upstream;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::pass);
        server.start();
    }

    static LosingProxy before(URI upstream) throws IOException {
        return new LosingProxy(upstream);
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    int lost() {
        return responses.get() / 2;
    }

    private void pass(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpRequest.Builder request = HttpRequest.newBuilder(
                            URI.create(upstream + exchange.getRequestURI().toString()))
                    .method(
                            exchange.getRequestMethod(),
                            BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()));
            exchange.getRequestHeaders().forEach((name, values) -> {
                if (!HOP_BY_HOP.contains(name.toLowerCase(Locale.ROOT))) {
                    values.forEach(value -> request.header(name, value));
                }
            });
            HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
            if (responses.incrementAndGet() % 2 == 0) {
                return;
            }
            response.headers().map().forEach((name, values) -> {
                if (!HOP_BY_HOP.contains(name)) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(
                    response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
            exchange.getResponseBody().write(response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

package dev.semel.dynamodb;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A proxy in front of DynamoDB Local that loses, refuses and delays what a test wants. */
final class FaultProxy implements AutoCloseable {

    /** What happens to one request. */
    enum Fault {
        NONE,
        /** Refused because the table is at its limit; nothing happened. */
        THROTTLED,
        /** An error of the service before anything happened. */
        ERROR_BEFORE,
        /** An error of the service after the write. */
        ERROR_AFTER,
        /** The connection breaks before the request reaches the service. */
        LOST_REQUEST,
        /** The write happens, and the connection breaks before the answer. */
        LOST_ANSWER,
        /** The request reaches the service when {@link #release} is called, long after its sender has given up. */
        DELAYED
    }

    private static final Set<String> OWN =
            Set.of("host", "content-length", "connection", "expect", "transfer-encoding");

    private final URI upstream;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final ConcurrentLinkedQueue<Fault> planned = new ConcurrentLinkedQueue<>();
    private final AtomicInteger faults = new AtomicInteger();
    private final AtomicInteger delayed = new AtomicInteger();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile Function<String, Fault> chance = target -> Fault.NONE;

    FaultProxy(URI upstream) {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        this.upstream = upstream;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** These happen to the next requests, one each. */
    void next(Fault... plan) {
        planned.addAll(java.util.List.of(plan));
    }

    /** What happens to requests that nothing was planned for, by the name of the call. */
    void otherwise(Function<String, Fault> other) {
        chance = other;
    }

    int faults() {
        return faults.get();
    }

    /** How many delayed requests have reached the service. */
    int arrived() {
        return delayed.get();
    }

    /** Lets the delayed requests go on to the service. */
    void release() {
        released.countDown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
        Fault plan = planned.poll();
        Fault fault = plan == null ? chance.apply(target.substring(target.indexOf('.') + 1)) : plan;
        if (fault != Fault.NONE) {
            faults.incrementAndGet();
        }
        switch (fault) {
            case NONE -> answer(exchange, forward(exchange, body));
            case THROTTLED -> refuse(exchange, 400, "ProvisionedThroughputExceededException");
            case ERROR_BEFORE -> refuse(exchange, 500, "InternalServerError");
            case ERROR_AFTER -> {
                forward(exchange, body);
                refuse(exchange, 500, "InternalServerError");
            }
            case LOST_REQUEST -> exchange.close();
            case LOST_ANSWER -> {
                forward(exchange, body);
                exchange.close();
            }
            case DELAYED -> {
                awaitRelease();
                forward(exchange, body);
                delayed.incrementAndGet();
                exchange.close();
            }
        }
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(upstream.resolve("/")).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        exchange.getRequestHeaders().forEach((name, values) -> {
            if (!OWN.contains(name.toLowerCase(java.util.Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
            }
        });
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private static void answer(HttpExchange exchange, HttpResponse<byte[]> response) throws IOException {
        Headers headers = exchange.getResponseHeaders();
        response.headers().map().forEach((name, values) -> {
            if (!OWN.contains(name) && !name.startsWith(":")) {
                headers.put(name, values);
            }
        });
        exchange.sendResponseHeaders(response.statusCode(), response.body().length == 0 ? -1 : response.body().length);
        exchange.getResponseBody().write(response.body());
        exchange.close();
    }

    private static void refuse(HttpExchange exchange, int status, String type) throws IOException {
        byte[] body = ("{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + type + "\",\"message\":\"injected\"}")
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/x-amz-json-1.0");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        release();
        server.stop(0);
        threads.shutdownNow();
    }
}

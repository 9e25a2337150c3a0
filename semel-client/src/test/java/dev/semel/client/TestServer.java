package dev.semel.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server with a script of answers, one for each request; it records the requests. */
final class TestServer implements AutoCloseable {

    static {
        // Without it, every request on a reused connection takes 40 ms longer.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    /** What to do with a request. */
    interface Behaviour {
        void handle(HttpExchange exchange) throws IOException;
    }

    record Received(String method, String path, List<String> keys, String body) {}

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Queue<Behaviour> script = new ConcurrentLinkedQueue<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private volatile Behaviour otherwise = answer(500, "text/plain", "the script has ended");
    private volatile String keyHeader = "Idempotency-Key";

    TestServer() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        List<String> keys = exchange.getRequestHeaders().getOrDefault(keyHeader, List.of());
        received.add(new Received(
                exchange.getRequestMethod(), exchange.getRequestURI().toString(), keys, body));
        Behaviour next = script.poll();
        (next == null ? otherwise : next).handle(exchange);
    }

    TestServer then(Behaviour behaviour) {
        script.add(behaviour);
        return this;
    }

    TestServer then(int status, String type, String body, String... headers) {
        return then(answer(status, type, body, headers));
    }

    TestServer thenProblem(int status, String code, String... headers) {
        return then(status, "application/problem+json", problem(code), headers);
    }

    TestServer otherwise(Behaviour behaviour) {
        otherwise = behaviour;
        return this;
    }

    TestServer keysIn(String header) {
        keyHeader = header;
        return this;
    }

    static String problem(String code) {
        return "{\"type\":\"urn:semel:problem:" + code
                + "\",\"title\":\"t\",\"status\":409,\"detail\":\"d\",\"code\":\"" + code + "\",\"retryable\":true}";
    }

    static Behaviour answer(int status, String type, String body, String... headers) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            for (int i = 0; i < headers.length; i += 2) {
                exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
            }
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        };
    }

    /** Closes the connection without an answer. */
    static Behaviour loseAnswer() {
        return HttpExchange::close;
    }

    /** Sends no answer and keeps the connection open. */
    static Behaviour hang() {
        return exchange -> {};
    }

    /** Sends the head and half of the body, then closes the connection. */
    static Behaviour breakOff(int status, String type, String body) {
        return exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
            exchange.getResponseBody().flush();
            exchange.close();
        };
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    HttpRequest payment() {
        return post("{\"amount\":100}");
    }

    HttpRequest post(String body) {
        return HttpRequest.newBuilder(uri("/payments"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    List<Received> received() {
        return List.copyOf(received);
    }

    /** Returns the distinct values of the key's header in all requests. */
    List<String> keys() {
        return received.stream()
                .flatMap(each -> each.keys().stream())
                .distinct()
                .toList();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

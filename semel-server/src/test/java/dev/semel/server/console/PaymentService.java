package dev.semel.server.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.jdk.SemelHttpHandler;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.key.KeyHygiene;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A service that takes payments behind a gate, and loses the provider's answer when it is asked to. */
final class PaymentService implements AutoCloseable {

    static final Operation PAY = Operation.named("create-payment");
    static final String SCOPE = "acme";

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final List<String> executed = new CopyOnWriteArrayList<>();

    PaymentService(SemelEngine semel) {
        Routes routes = Routes.builder().protect("POST", "/payments", policy()).build();
        Gate gate =
                Gate.on(semel, routes, ScopeStrategy.fixed(new Scope(SCOPE))).build();
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/payments", new SemelHttpHandler(gate, this::pay));
        server.setExecutor(threads);
        server.start();
    }

    static RoutePolicy policy() {
        return RoutePolicy.of(PAY).keyHygiene(KeyHygiene.IGNORE).build();
    }

    private void pay(HttpExchange exchange) throws IOException {
        String order = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        executed.add(order);
        if (order.contains("lose")) {
            throw new OutcomeUnknownException("the provider did not answer within 30 s");
        }
        byte[] body = "{\"id\":\"pay_1\"}".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(201, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    /** Sends a payment as a client does. */
    HttpResponse<String> send(String key, String order) {
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/payments"))
                .header("Idempotency-Key", key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Leaves an outcome unknown: the service closes the connection without an answer, or answers that it is unknown. */
    void lose(String key, String order) {
        try {
            send(key, order);
        } catch (UncheckedIOException closed) {
            // What a client sees when the service fails without an answer.
        }
    }

    /** How often a payment was executed. */
    long executions(String order) {
        return executed.stream().filter(order::equals).count();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

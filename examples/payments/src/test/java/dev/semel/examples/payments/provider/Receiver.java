package dev.semel.examples.payments.provider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of webhooks that records deliveries, and gives the configured answers. */
final class Receiver implements AutoCloseable {

    /** Instead of a status: ends the connection without an answer. */
    static final int HANG_UP = -1;

    /** Instead of a status: never answers. */
    static final int NEVER = -2;

    /** A received request. */
    record Delivery(String id, String timestamp, String signature, String contentType, String body) {

        JsonNode event() {
            return JsonMapper.shared().readTree(body);
        }

        /** The key of its charge. */
        String key() {
            return event().path("data").path("key").stringValue();
        }
    }

    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final int otherwise;

    private Receiver(HttpServer server, int otherwise) {
        this.server = server;
        this.otherwise = otherwise;
    }

    /** @param answers to the first requests; those after them are accepted */
    static Receiver accepting(Integer... answers) throws IOException {
        return start(204, answers);
    }

    static Receiver always(int answer) throws IOException {
        return start(answer);
    }

    private static Receiver start(int otherwise, Integer... answers) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        Receiver receiver = new Receiver(server, otherwise);
        receiver.answers.addAll(List.of(answers));
        server.createContext("/webhooks/provider", receiver::receive);
        server.setExecutor(receiver.threads);
        server.start();
        return receiver;
    }

    private void receive(HttpExchange exchange) throws IOException {
        deliveries.add(new Delivery(
                header(exchange, "webhook-id"),
                header(exchange, "webhook-timestamp"),
                header(exchange, "webhook-signature"),
                header(exchange, "Content-Type"),
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8)));
        Integer told = answers.poll();
        int answer = told == null ? otherwise : told;
        if (answer == NEVER) {
            return;
        }
        try (exchange) {
            if (answer != HANG_UP) {
                exchange.sendResponseHeaders(answer, -1);
            }
        }
    }

    private static String header(HttpExchange exchange, String name) {
        return String.valueOf(exchange.getRequestHeaders().getFirst(name));
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/webhooks/provider";
    }

    List<Delivery> deliveries() {
        return deliveries;
    }

    /** The keys of all deliveries. */
    Stream<String> keys() {
        return deliveries.stream().map(Delivery::key);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

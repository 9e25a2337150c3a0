package dev.semel.client;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that executes each key once and replays its answer. */
final class PaymentServer implements TestServer.Behaviour {

    private final Map<String, String> recorded = new ConcurrentHashMap<>();
    private final List<String> effects = new CopyOnWriteArrayList<>();

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        execute(exchange).handle(exchange);
    }

    /** Executes a request with a new key, and returns the answer. */
    TestServer.Behaviour execute(HttpExchange exchange) {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        boolean[] first = {false};
        String receipt = recorded.computeIfAbsent(key, absent -> {
            first[0] = true;
            effects.add(key);
            return "receipt for " + key;
        });
        return TestServer.answer(201, "text/plain", receipt, "Idempotency-Replayed", String.valueOf(!first[0]));
    }

    /** Returns the key of each effect. */
    List<String> effects() {
        return List.copyOf(effects);
    }
}

package dev.semel.client;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that executes each key once and replays what it answered. */
final class PaymentServer implements TestServer.Behaviour {

    private final Map<String, String> recorded = new ConcurrentHashMap<>();
    private final List<String> effects = new CopyOnWriteArrayList<>();

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        execute(exchange).handle(exchange);
    }

    /** Executes a request, if it was not, and says what to answer. */
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

    /** The keys of all effects, as often as there was one. */
    List<String> effects() {
        return List.copyOf(effects);
    }
}

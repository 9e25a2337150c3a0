package dev.semel.examples.payments.provider;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A running provider, on the loopback address only.
 *
 * <ul>
 *   <li>{@code POST /charges} with an {@code Idempotency-Key} charges once per key: 201 and the charge; 402 when the
 *       method of payment is declined; 500, and no charge, when it makes the provider fail; no answer at all for some, see
 *       {@link PaymentMethod}.
 *   <li>{@code GET /charges?key=…} answers the charge or decline of a key, or 404.
 *   <li>{@code GET /ledger} lists every charge.
 * </ul>
 *
 * <p>It can send a webhook for every charge and decline; see {@link #sendWebhooks}.
 */
public final class Provider implements AutoCloseable {

    /** A charge takes some hundred bytes, and a thousand more for its reference. */
    private static final int LONGEST_BODY = 64 << 10;

    /** Longer than any caller waits. Then the connection is closed, since the caller may have disconnected unnoticed. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);

    /** The response code of an exchange without an answer. */
    private static final int NOT_ANSWERED = -1;

    private final JsonMapper json = JsonMapper.shared();
    private final ExecutorService threads = Executors.newCachedThreadPool(Provider::daemon);
    private final DelayedTasks later = new DelayedTasks(threads);
    private final InstantSource clock = InstantSource.system();
    private final HttpServer server;
    private final Cashier cashier;
    private volatile @Nullable Webhooks webhooks;

    private Provider(HttpServer server, Path directory, ProviderSettings settings) throws IOException {
        this.server = server;
        this.cashier = Cashier.open(directory, settings.lateBy(), clock, later, this::announce);
        if (settings.webhooks() != null) {
            sendWebhooks(settings.webhooks());
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "provider");
        thread.setDaemon(true);
        return thread;
    }

    /** Starts a provider with the default settings. */
    public static Provider start(int port, Path directory) throws IOException {
        return start(port, directory, ProviderSettings.defaults());
    }

    /**
     * Starts a provider.
     *
     * @param port zero for any free port
     * @param directory holds the ledger and is created when it does not exist
     * @throws java.net.BindException when the port is in use
     * @throws IOException when the ledger cannot be read or written
     */
    public static Provider start(int port, Path directory, ProviderSettings settings) throws IOException {
        // Read once, when the first server of this JVM is created; without it every answer waits 40 ms for an
        // acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        try {
            Provider provider = new Provider(server, directory, settings);
            server.createContext("/", provider::handle);
            server.setExecutor(provider.threads);
            server.start();
            return provider;
        } catch (IOException | RuntimeException e) {
            server.stop(0);
            throw e;
        }
    }

    public URI uri() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /**
     * Sends webhooks for charges and declines from now on, to this receiver only: for a receiver that starts after the
     * provider.
     */
    public void sendWebhooks(WebhookSettings settings) {
        webhooks = new Webhooks(settings, clock, later);
    }

    private void announce(Entry entry) {
        Webhooks current = webhooks;
        if (current != null) {
            current.announce(entry);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            route(exchange);
        } catch (BadRequestException e) {
            answer(exchange, 400, new Problem("bad_request", e.getMessage()));
        } catch (JacksonException e) {
            answer(exchange, 400, new Problem("bad_request", "the body is not JSON: " + e.getOriginalMessage()));
        } catch (ProviderFailure e) {
            answer(exchange, 500, new Problem("provider_error", e.getMessage()));
        } catch (IOException | RuntimeException e) {
            answer(exchange, 500, new Problem("provider_error", "the ledger cannot be written: " + e.getMessage()));
        }
    }

    private void route(HttpExchange exchange) throws IOException {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        if (path.equals("/charges") && method.equals("POST")) {
            charge(exchange);
        } else if (path.equals("/charges") && method.equals("GET")) {
            find(exchange);
        } else if (path.equals("/ledger") && method.equals("GET")) {
            answer(exchange, 200, cashier.charges());
        } else {
            answer(exchange, 404, new Problem("not_found", "there is no " + method + " " + path));
        }
    }

    private void charge(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (key == null || key.isBlank()) {
            throw new BadRequestException("the header Idempotency-Key is missing");
        }
        byte[] body = exchange.getRequestBody().readNBytes(LONGEST_BODY + 1);
        if (body.length > LONGEST_BODY) {
            throw new BadRequestException("the body is longer than " + LONGEST_BODY + " bytes");
        }
        cashier.charge(ChargeRequest.of(key, json.readTree(body)), entry -> answer(exchange, entry));
        if (exchange.getResponseCode() == NOT_ANSWERED) {
            later.after(LONGEST_SILENCE, exchange::close);
        }
    }

    private void find(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getRawQuery();
        if (query == null || !query.startsWith("key=")) {
            throw new BadRequestException("the parameter key is missing: /charges?key=…");
        }
        String key = URLDecoder.decode(query.substring("key=".length()), StandardCharsets.UTF_8);
        Entry entry = cashier.find(key).orElse(null);
        if (entry == null) {
            answer(exchange, 404, new Problem("not_found", "there is no charge with this key"));
        } else {
            answer(exchange, 200, entry);
        }
    }

    private void answer(HttpExchange exchange, Entry entry) {
        try (exchange) {
            answer(exchange, entry.isCharge() ? 201 : 402, entry);
        } catch (IOException e) {
            // The caller has disconnected, and can find the charge by its key.
        }
    }

    private void answer(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] bytes = json.writeValueAsBytes(body);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        try (exchange) {
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }

    /** The body of an error. */
    private record Problem(String error, @Nullable String message) {}

    /** Stops listening, closes the connections of waiting callers, and closes the ledger; delayed tasks never run. */
    @Override
    public void close() throws IOException {
        server.stop(0);
        later.close();
        threads.shutdownNow();
        cashier.close();
    }
}

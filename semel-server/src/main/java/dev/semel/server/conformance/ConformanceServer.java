package dev.semel.server.conformance;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.server.check.json.Json;
import dev.semel.server.conformance.Scenario.Connection;
import dev.semel.server.conformance.Scenario.Step;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The reference server for clients.
 *
 * <ol>
 *   <li>{@code GET /conformance/scenarios} lists the scenarios: where to send, what to send, where to report.
 *   <li>The client sends the request of a scenario, and sends it again as it sees fit; the server follows its script.
 *   <li>The client reports how it ended: {@code {"ended": "answered", "status": 201, "replayed": true, "safe_new_key": false}}.
 *   <li>{@code GET /conformance/results} gives the verdicts; {@code DELETE} forgets them, for another run.
 *   <li>{@code POST /conformance/finish} ends the server.
 * </ol>
 */
public final class ConformanceServer implements AutoCloseable {

    static {
        // Otherwise the JDK's server delays each answer on a kept connection by 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private static final String ROOT = "/conformance/";
    private static final String BODY = "{\"amountCents\":1250,\"currency\":\"EUR\"}";
    private static final String PAYMENT = "{\"paymentId\":\"pay_1\",\"amountCents\":1250,\"currency\":\"EUR\"}";
    private static final Duration KEPT_FOR = Duration.ofDays(7);

    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final HttpServer server;
    private final ExecutorService threads;
    private final ConformanceTime time = new ConformanceTime();
    private final List<Scenario> scenarios = ScenarioFile.scenarios();
    private final Map<String, ScenarioRun> runs = new ConcurrentHashMap<>();
    private final CompletableFuture<Void> finished = new CompletableFuture<>();

    private ConformanceServer(HttpServer server) {
        this.server = server;
        this.threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "semel-conformance");
            thread.setDaemon(true);
            return thread;
        });
        reset();
    }

    /** Starts a server. */
    public static ConformanceServer start(InetSocketAddress address) throws IOException {
        HttpServer http = HttpServer.create(address, 0);
        ConformanceServer server = new ConformanceServer(http);
        http.setExecutor(server.threads);
        http.createContext("/", server::handle);
        http.start();
        return server;
    }

    /** Where the server listens, without a slash at the end. */
    public String url() {
        InetSocketAddress address = server.getAddress();
        return "http://" + address.getAddress().getHostAddress() + ":" + address.getPort();
    }

    /** Completes when the client says that it is done. */
    public CompletableFuture<Void> finished() {
        return finished;
    }

    public Results results() {
        return new Results(scenarios.stream()
                .map(scenario -> run(scenario.name()).judge(keysBut(scenario.name())))
                .toList());
    }

    private Set<String> keysBut(String name) {
        Set<String> keys = new HashSet<>();
        runs.forEach((other, run) -> {
            if (!other.equals(name)) {
                keys.addAll(run.keys());
            }
        });
        return keys;
    }

    private ScenarioRun run(String name) {
        return Objects.requireNonNull(runs.get(name), "every scenario has a run");
    }

    private void reset() {
        scenarios.forEach(scenario -> runs.put(scenario.name(), new ScenarioRun(scenario)));
    }

    private void handle(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String path = exchange.getRequestURI().getPath();
        String[] parts = (path.startsWith(ROOT) ? path.substring(ROOT.length()) : "").split("/", -1);
        switch (exchange.getRequestMethod() + " " + parts[0]) {
            case "GET scenarios" -> send(exchange, 200, Json.write(listing()) + "\n");
            case "GET results" -> send(exchange, 200, results().json());
            case "DELETE results" -> {
                reset();
                send(exchange, 204, "");
            }
            case "POST finish" -> {
                send(exchange, 200, results().json());
                finished.complete(null);
            }
            default -> ofScenario(exchange, parts, body);
        }
    }

    private void ofScenario(HttpExchange exchange, String[] parts, String body) throws IOException {
        ScenarioRun run = runs.get(parts[0]);
        if (run == null || parts.length != 2) {
            send(exchange, 404, problem("no such scenario; GET /conformance/scenarios lists them"));
        } else if (parts[1].equals("report")) {
            report(exchange, run, body);
        } else {
            play(exchange, run, body);
        }
    }

    private void report(HttpExchange exchange, ScenarioRun run, String body) throws IOException {
        Map<String, Object> members = new LinkedHashMap<>();
        if (Json.parse(body).orElse(null) instanceof Map<?, ?> object) {
            object.forEach((name, value) -> members.put(String.valueOf(name), value));
        }
        if (!(members.get("ended") instanceof String)) {
            send(exchange, 400, problem("a report is a JSON object with \"ended\": answered, unknown or not_executed"));
            return;
        }
        run.reported(members);
        send(exchange, 204, "");
    }

    private void play(HttpExchange exchange, ScenarioRun run, String body) throws IOException {
        Step step = run.received(new ScenarioRun.Received(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                List.copyOf(exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of())),
                body,
                time.elapsed()));
        if (step.connection() == Connection.SILENT) {
            // The connection stays open until the client or the server goes.
            return;
        }
        if (step.connection() == Connection.CLOSED) {
            exchange.close();
            return;
        }
        boolean plain = step.problem().isEmpty();
        byte[] bytes = (plain ? PAYMENT : Json.write(step.problem())).getBytes(StandardCharsets.UTF_8);
        headers(exchange, step);
        exchange.getResponseHeaders().set("Content-Type", plain ? "application/json" : "application/problem+json");
        exchange.sendResponseHeaders(step.status(), bytes.length);
        exchange.getResponseBody()
                .write(bytes, 0, step.connection() == Connection.CUT ? bytes.length / 2 : bytes.length);
        exchange.getResponseBody().flush();
        exchange.close();
    }

    private void headers(HttpExchange exchange, Step step) {
        Headers headers = exchange.getResponseHeaders();
        Integer wait = step.retryAfter();
        if (wait != null) {
            headers.set(
                    "Retry-After",
                    step.asDate() ? HTTP_DATE.format(time.now().plusSeconds(wait)) : String.valueOf(wait));
        }
        List<String> keys = exchange.getRequestHeaders().getOrDefault("Idempotency-Key", List.of());
        if (keys.size() == 1) {
            headers.set("Idempotency-Key", keys.get(0));
        }
        if (step.marks().replayed()) {
            headers.set("Idempotency-Replayed", "true");
            headers.set("Idempotency-Age", "1");
            headers.set("Idempotency-Expires", HTTP_DATE.format(time.now().plus(KEPT_FOR)));
        }
        if (step.marks().unprotected()) {
            headers.set("Idempotency-Protected", "false");
        }
    }

    private Map<String, Object> listing() {
        Map<String, Object> listing = new LinkedHashMap<>();
        listing.put("settings", ScenarioFile.settings());
        listing.put("scenarios", scenarios.stream().map(this::entry).toList());
        return listing;
    }

    private Map<String, Object> entry(Scenario scenario) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("name", scenario.name());
        entry.put("title", scenario.title());
        entry.put("method", "POST");
        entry.put("url", url() + ROOT + scenario.name() + "/payments");
        entry.put("body", BODY);
        entry.put("report", url() + ROOT + scenario.name() + "/report");
        return entry;
    }

    private static String problem(String detail) {
        return Json.write(Map.of("detail", detail));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

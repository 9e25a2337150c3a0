package dev.semel.server.check.zoo;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.semel.server.check.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A payment API on loopback: correct in one of two styles, or with one defect.
 *
 * <p>{@code POST /payments {"order": …, "amount": …}}; {@code "fail": "after"} has the effect and answers 500, {@code "fail":
 * "before"} has none and answers 503. {@code GET /effects} is the number of payments.
 */
public final class ZooServer implements AutoCloseable {

    /** How a correct API speaks. */
    public enum Style {
        /** As the IETF draft says: required keys, 422, problem+json. */
        DRAFT,
        /** As the draft says; answers echo the key and say until when it is kept, and a retry after that is refused with 412. */
        EXPIRING,
        /** As Stripe does: optional and opaque keys, 400, errors in JSON of its own. */
        STRIPE;

        boolean isDraft() {
            return this != STRIPE;
        }
    }

    private static final Duration RETENTION = Duration.ofSeconds(1);
    private static final Duration SLOW = Duration.ofMillis(120);

    private final Style style;
    private final @Nullable Defect defect;
    private final Duration work;
    private final ZooKeys keys;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong effects = new AtomicLong();

    /** 1 when a duplicate waits to be executed, 2 when it was. */
    private final AtomicLong queued = new AtomicLong();

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;

    /** What is remembered of a key. */
    private static final class Entry {
        final String owner;
        final String fingerprint;
        final long started = System.nanoTime();

        volatile @Nullable Stored stored;

        Entry(String owner, String fingerprint) {
            this.owner = owner;
            this.fingerprint = fingerprint;
        }
    }

    private record Stored(int status, Map<String, String> headers, String body) {}

    public ZooServer(Style style, @Nullable Defect defect, Duration work) {
        this.style = style;
        this.defect = defect;
        this.work = work;
        this.keys = new ZooKeys(style, defect);
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public String url(String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    /** Counts; one that was queued is executed after the first count that it missed. */
    public long effects() {
        long seen = effects.get();
        if (queued.compareAndSet(1, 2)) {
            effects.incrementAndGet();
        }
        return seen;
    }

    private boolean has(Defect other) {
        return defect == other;
    }

    private void handle(HttpExchange exchange) {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            try {
                answer(exchange, body);
            } catch (Refusal refusal) {
                send(exchange, error(exchange, refusal));
            }
        } catch (IOException e) {
            // The client hung up.
        }
    }

    private void answer(HttpExchange exchange, String body) throws IOException {
        String method = exchange.getRequestMethod();
        String path = exchange.getRequestURI().getPath();
        if (has(Defect.LOOKS_UP_BEFORE_ROUTING) && !method.equals("GET") && !method.equals("OPTIONS")) {
            Entry known =
                    entries.get(keys.identity(owner(exchange), keys.of(exchange).orElse("")));
            if (known != null && known.stored != null && known.fingerprint.endsWith(body)) {
                send(exchange, replay(known.stored));
                return;
            }
        }
        if (path.equals("/effects")) {
            send(exchange, new Stored(200, Map.of("Content-Type", "text/plain"), String.valueOf(effects())));
        } else if (!path.equals("/payments")) {
            throw new Refusal(404, "there is nothing here");
        } else if (method.equals("OPTIONS")) {
            preflight(exchange);
        } else if (method.equals("GET")) {
            get(exchange);
        } else if (method.equals("POST")) {
            post(exchange, body);
        } else {
            throw new Refusal(405, "use POST");
        }
    }

    private void preflight(HttpExchange exchange) throws IOException {
        String allowed = has(Defect.CORS_WITHOUT_HEADER) ? "content-type" : "content-type, idempotency-key";
        send(
                exchange,
                new Stored(
                        204, Map.of("Access-Control-Allow-Origin", "*", "Access-Control-Allow-Headers", allowed), ""));
    }

    private void get(HttpExchange exchange) throws IOException {
        Entry known = entries.get(keys.identity(
                owner(exchange), ZooKeys.bare(exchange.getRequestHeaders().getFirst("Idempotency-Key"))));
        if (has(Defect.REPLAYS_TO_SAFE_METHODS) && known != null && known.stored != null) {
            send(exchange, replay(known.stored));
            return;
        }
        send(exchange, new Stored(200, Map.of("Content-Type", "application/json"), "[]"));
    }

    private void post(HttpExchange exchange, String body) throws IOException {
        Optional<String> key = has(Defect.IGNORES_KEYS) ? Optional.empty() : keys.of(exchange);
        if (exchange.getRequestHeaders().getFirst("Authorization") == null) {
            refuseAnonymous(exchange, key.orElse(""));
            return;
        }
        if (has(Defect.DEDUPLICATES_BY_CONTENT)) {
            key = Optional.of("content:" + body);
        }
        boolean valid = Json.parse(body)
                .filter(json -> json instanceof Map<?, ?> map && map.containsKey("amount"))
                .isPresent();
        if (!valid && !has(Defect.LOCKED_AFTER_FAILED_VALIDATION)) {
            throw new Refusal(400, "the body is no payment");
        }
        if (key.isEmpty()) {
            send(exchange, execute(body));
            return;
        }
        String owner = owner(exchange);
        String query = has(Defect.FINGERPRINT_WITHOUT_QUERY)
                        || exchange.getRequestURI().getQuery() == null
                ? ""
                : exchange.getRequestURI().getQuery();
        delayForKeysOfOthers(owner, key.get());
        String identity = keys.identity(owner, key.get());
        Entry mine = new Entry(owner, "POST /payments " + query + "\n" + body);
        Entry known = claim(identity, mine);
        if (known != null) {
            known = forgotten(identity, known, mine);
        }
        if (known != null) {
            answerKnown(exchange, identity, known, mine);
            return;
        }
        if (!valid) {
            throw new Refusal(400, "the body is no payment");
        }
        Stored result = execute(body);
        boolean released = result.status() == 503 && !has(Defect.REPLAYS_500_WITHOUT_EFFECT)
                || result.status() == 500 && has(Defect.EXECUTES_AGAIN_AFTER_5XX);
        if (released) {
            entries.remove(identity);
        } else {
            mine.stored = result;
            entries.put(identity, mine);
        }
        try {
            send(exchange, result);
        } catch (IOException e) {
            if (has(Defect.FREES_KEY_ON_DISCONNECT)) {
                entries.remove(identity);
            }
        }
    }

    private void refuseAnonymous(HttpExchange exchange, String key) throws IOException {
        for (Map.Entry<String, Entry> known : entries.entrySet()) {
            Stored stored = known.getValue().stored;
            if (has(Defect.REPLAYS_BEFORE_AUTHENTICATION) && known.getKey().endsWith("|" + key) && stored != null) {
                send(exchange, replay(stored));
                return;
            }
        }
        throw new Refusal(401, "who are you?");
    }

    /** Puts the entry where there is none; returns the one that was there. */
    private @Nullable Entry claim(String identity, Entry mine) {
        if (has(Defect.CHECK_THEN_ACT)) {
            Entry known = entries.get(identity);
            if (known == null) {
                pause(work.dividedBy(2));
                entries.put(identity, mine);
            }
            return known;
        }
        return has(Defect.EXECUTES_DUPLICATES_IN_FLIGHT) ? entries.get(identity) : entries.putIfAbsent(identity, mine);
    }

    private @Nullable Entry forgotten(String identity, Entry known, Entry mine) {
        boolean overdue = System.nanoTime() - known.started > work.toNanos() / 4;
        boolean lost = has(Defect.LEASE_SHORTER_THAN_EXECUTION) && known.stored == null && overdue
                || has(Defect.FORGETS_BEFORE_RETENTION)
                        && known.stored != null
                        && System.nanoTime() - known.started
                                > Duration.ofMillis(50).toNanos();
        if (lost) {
            entries.put(identity, mine);
            return null;
        }
        return known;
    }

    private void answerKnown(HttpExchange exchange, String identity, Entry known, Entry mine) throws IOException {
        if (!known.owner.equals(mine.owner)) {
            answerOtherOwner(exchange, known);
        }
        if (has(Defect.WAITS_WITHOUT_FINGERPRINT) && known.stored == null) {
            send(exchange, replay(awaitStored(known)));
            return;
        }
        if (!known.fingerprint.equals(mine.fingerprint) && !has(Defect.NO_FINGERPRINT)) {
            if (has(Defect.MISMATCH_FREES_KEY)) {
                entries.remove(identity);
            }
            if (has(Defect.MISMATCH_REPLACES_FINGERPRINT)) {
                mine.stored = known.stored;
                entries.put(identity, mine);
            }
            if (has(Defect.SHOWS_RECORDED_ANSWER_ON_MISMATCH) && known.stored != null) {
                throw new Refusal(422, "the key was used for " + known.stored.body());
            }
            throw new Refusal(
                    has(Defect.ANSWERS_500_TO_MISMATCH) ? 500 : style.isDraft() ? 422 : 400,
                    "the key was used for another request");
        }
        if (known.stored == null && has(Defect.EMPTY_RESULT_IN_FLIGHT)) {
            send(exchange, new Stored(201, Map.of("Content-Type", "application/json"), ""));
            return;
        }
        if (known.stored == null) {
            if (has(Defect.QUEUES_A_DUPLICATE_IN_FLIGHT)) {
                queued.compareAndSet(0, 1);
            }
            throw new Refusal(has(Defect.ANSWERS_500_IN_FLIGHT) ? 500 : 409, "a request with this key is in progress");
        }
        if (style == Style.EXPIRING && System.nanoTime() - known.started > RETENTION.toNanos()) {
            throw new Refusal(412, "the retention of the key has ended");
        }
        boolean late =
                System.nanoTime() - known.started > Duration.ofMillis(300).toNanos();
        if (has(Defect.LOCKED_AFTER_RETENTION) && late) {
            throw new Refusal(500, "the record is gone");
        }
        send(exchange, replay(known.stored));
    }

    private static Stored awaitStored(Entry known) {
        while (known.stored == null) {
            pause(Duration.ofMillis(1));
        }
        return known.stored;
    }

    private void answerOtherOwner(HttpExchange exchange, Entry known) {
        if (has(Defect.LEAKS_ANOTHER_TENANTS_BODY) && known.stored != null) {
            throw new Refusal(409, "this key exists already: " + known.stored.body());
        }
        if (has(Defect.REFUSES_KEYS_OF_OTHER_ACCOUNTS)) {
            throw new Refusal(403, "this is not your key");
        }
    }

    private Stored execute(String body) {
        pause(work);
        if (body.contains("\"before\"")) {
            return new Stored(503, Map.of("Content-Type", "application/json"), "{\"error\":\"busy\"}");
        }
        long number = effects.incrementAndGet();
        if (body.contains("\"after\"")) {
            return new Stored(500, Map.of("Content-Type", "application/json"), "{\"error\":\"failed\"}");
        }
        String id = "pay_" + (100_000 + number);
        return new Stored(
                201,
                Map.of("Content-Type", "application/json", "Location", "/payments/" + id, "X-Payment-Id", id),
                "{\"id\": \"" + id + "\",  \"status\": \"succeeded\"}");
    }

    private Stored replay(Stored stored) {
        Map<String, String> headers = new HashMap<>(stored.headers());
        if (has(Defect.LOSES_HEADERS)) {
            headers.remove("Location");
        }
        if (!has(Defect.REPLAYS_ARE_NOT_MARKED)) {
            headers.put(style.isDraft() ? "Idempotency-Replayed" : "Idempotent-Replayed", "true");
        }
        int status = has(Defect.REPLAYS_200_FOR_ALL) ? 200 : stored.status();
        String body = has(Defect.REENCODES_JSON)
                ? Json.write(Json.parse(stored.body()).orElseThrow()).replaceAll("\n *", "")
                : stored.body();
        if (has(Defect.TRUNCATES_REPLAYED_BODIES)) {
            body = body.substring(0, Math.min(20, body.length()));
        }
        return new Stored(status, headers, body);
    }

    private Stored error(HttpExchange exchange, Refusal refusal) {
        Map<String, String> headers = new HashMap<>();
        if (refusal.status() == 409 && !has(Defect.NO_RETRY_AFTER)) {
            headers.put("Retry-After", "1");
        }
        String detail = refusal.getMessage();
        if (has(Defect.SHOWS_CREDENTIALS)) {
            detail += " for " + exchange.getRequestHeaders().getFirst("Authorization");
        }
        if (has(Defect.SHOWS_STACK_TRACES)) {
            detail += " at com.example.Payments.pay(Payments.java:17)";
        }
        if (has(Defect.REPEATS_KEY_IN_ERRORS)) {
            detail += ": " + ZooKeys.bare(exchange.getRequestHeaders().getFirst("Idempotency-Key"));
        }
        int stated = has(Defect.WRONG_STATUS_IN_PROBLEM) ? 200 : refusal.status();
        headers.put("Content-Type", style.isDraft() ? "application/problem+json" : "application/json");
        Object content = style.isDraft()
                ? Map.of(
                        "type",
                        "https://example.com/idempotency",
                        "title",
                        "Refused",
                        "status",
                        stated,
                        "detail",
                        detail)
                : Map.of("error", Map.of("type", "idempotency_error", "message", detail));
        return new Stored(refusal.status(), headers, Json.write(content));
    }

    private void delayForKeysOfOthers(String owner, String key) {
        if (has(Defect.SLOW_FOR_KEYS_OF_OTHER_ACCOUNTS)
                && entries.keySet().stream().anyMatch(other -> other.endsWith("|" + key) && !other.startsWith(owner))) {
            pause(SLOW);
        }
    }

    private static String owner(HttpExchange exchange) {
        return String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private void send(HttpExchange exchange, Stored answer) throws IOException {
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        Headers headers = exchange.getResponseHeaders();
        List<String> names = new ArrayList<>(answer.headers().keySet());
        names.forEach(name -> headers.set(name, answer.headers().get(name)));
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        if (style == Style.EXPIRING && key != null && !key.isEmpty()) {
            headers.set("Idempotency-Key", key);
            headers.set(
                    "Idempotency-Expires",
                    DateTimeFormatter.RFC_1123_DATE_TIME.format(
                            ZonedDateTime.now(ZoneOffset.UTC).plus(RETENTION)));
        }
        exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.getResponseBody().flush();
    }

    private static void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}

package dev.semel.examples.payments;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.reconcile.StoredRecord;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests and retries, and prints each answer next to the charges in the provider's ledger. */
final class DemoTraffic {

    private static final int AT_ONCE = 8;

    /** Short enough for a person to watch, long enough to put no load on the demo. */
    private static final Duration BETWEEN_RETRIES = Duration.ofMillis(500);

    private final HttpClient http = HttpClient.newHttpClient();
    private final URI payments;
    private final URI ledger;
    private final SemelEngine semel;
    private final PrintStream out;

    /** Keys and customers of this run alone, so that the demo can be started again on the same data. */
    private final String run = UUID.randomUUID().toString();

    DemoTraffic(URI application, URI provider, SemelEngine semel, PrintStream out) {
        this.payments = application.resolve("/payments");
        this.ledger = provider.resolve("/ledger");
        this.semel = semel;
        this.out = out;
    }

    void run() throws IOException, InterruptedException {
        out.println("Sample requests and retries. Each line: the request, its answer, and how often it was charged.");
        out.println("(executed = the handler ran; replayed = the recorded answer; refused = the handler did not run)");
        out.println();
        sequence();
        simultaneous();
        declined();
        show("without a key", send("acme", null, order("nokey", 1999, "pm_ok")), "acme", "nokey");
        out.println();
    }

    /** Payments whose answer gets lost, and how their outcome is settled; takes about 20 seconds. */
    void runUnknown() throws InterruptedException {
        out.println();
        out.println(
                "Meanwhile: payments whose answer from the provider gets lost. Their outcome is unknown, until the");
        out.println("reconciler or a webhook settles it on evidence. This takes about 20 seconds.");
        out.println();
        Lost timeout = lost("charged, and no answer", "d", "pm_timeout_charged");
        Lost late = lost("charged 10 s too late", "e", "pm_late");
        try {
            timeout.follow();
            late.follow();
        } catch (IOException | CompletionException stopped) {
            out.println("  (the demo was stopped before they were settled)");
        }
    }

    private Lost lost(String what, String name, String method) {
        HttpRequest request = request("acme", key(name), order(name, 1999, method));
        return new Lost(what, name, request, http.sendAsync(request, HttpResponse.BodyHandlers.ofString()));
    }

    /** A payment whose answer gets lost, and the client that keeps retrying. */
    private final class Lost {

        private final String what;
        private final String name;
        private final HttpRequest request;
        private final CompletableFuture<HttpResponse<String>> first;

        Lost(String what, String name, HttpRequest request, CompletableFuture<HttpResponse<String>> first) {
            this.what = what;
            this.name = name;
            this.request = request;
            this.first = first;
        }

        void follow() throws IOException, InterruptedException {
            HttpResponse<String> answer = first.join();
            show(what, answer, "acme", name);
            while (!isFinal(answer)) {
                TimeUnit.NANOSECONDS.sleep(BETWEEN_RETRIES.toNanos());
                answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            }
            show("  the client kept retrying", answer, "acme", name);
            out.println("    settled by " + evidence());
        }

        private String evidence() {
            return semel.find(Identity.of("acme", key(name)))
                    .map(StoredRecord::evidence)
                    .map(evidence -> evidence.source() + ": " + evidence.detail())
                    .orElse("the attempt itself");
        }
    }

    private void sequence() throws IOException, InterruptedException {
        String order = order("a", 1999, "pm_ok");
        show("a payment of 19.99", send("acme", key("a"), order), "acme", "a");
        show("  the client retries", send("acme", key("a"), order), "acme", "a");
        show("  same key, but 29.99", send("acme", key("a"), order("a", 2999, "pm_ok")), "acme", "a");
        show("  same key, another account", send("globex", key("a"), order), "globex", "a");
    }

    private void simultaneous() throws IOException, InterruptedException {
        HttpRequest request = request("acme", key("b"), order("b", 500, "pm_ok"));
        List<CompletableFuture<HttpResponse<String>>> sent = IntStream.range(0, AT_ONCE)
                .mapToObj(i -> http.sendAsync(request, HttpResponse.BodyHandlers.ofString()))
                .toList();
        String words = sent.stream()
                .map(CompletableFuture::join)
                .collect(Collectors.groupingBy(
                        answer -> word(answer) + " " + answer.statusCode(), Collectors.counting()))
                .entrySet()
                .stream()
                .sorted(Map.Entry.comparingByKey())
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
        print(AT_ONCE + " times at the same moment", words, "acme", "b");
    }

    private void declined() throws IOException, InterruptedException {
        String order = order("c", 1999, "pm_declined");
        show("a card that is declined", send("acme", key("c"), order), "acme", "c");
        show("  the client retries", send("acme", key("c"), order), "acme", "c");
    }

    private String key(String name) {
        return "demo-" + run + "-" + name;
    }

    private String customer(String name) {
        return "cus_" + run + "_" + name;
    }

    private String order(String name, int amountCents, String method) {
        return """
                {"customerId":"%s","amountCents":%d,"currency":"EUR","paymentMethod":"%s"}""".formatted(customer(name), amountCents, method);
    }

    private HttpRequest request(String account, @Nullable String key, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(payments)
                .header("Authorization", "Bearer sk_test_" + account)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        return request.build();
    }

    private HttpResponse<String> send(String account, @Nullable String key, String body)
            throws IOException, InterruptedException {
        return http.send(request(account, key, body), HttpResponse.BodyHandlers.ofString());
    }

    private void show(String what, HttpResponse<String> answer, String account, String name)
            throws IOException, InterruptedException {
        print(what, word(answer) + " " + answer.statusCode(), account, name);
    }

    private void print(String what, String words, String account, String name)
            throws IOException, InterruptedException {
        long charges = charges(account, customer(name));
        out.printf("  %-28s %-34s %s%n", what, words, charges == 1 ? "1 charge" : charges + " charges");
    }

    /** What an answer says about its request: replays are marked, refusals have a code, all others were executed. */
    private static String word(HttpResponse<String> answer) {
        if (answer.headers().firstValue("Idempotency-Replayed").isPresent()) {
            return "replayed";
        }
        if (answer.body().contains("\"code\":\"idempotency_outcome_unknown\"")) {
            return "unknown";
        }
        return answer.body().contains("\"code\":\"idempotency_") ? "refused" : "executed";
    }

    private static boolean isFinal(HttpResponse<String> answer) {
        return Set.of("executed", "replayed").contains(word(answer));
    }

    private long charges(String account, String customerId) throws IOException, InterruptedException {
        String body = http.send(HttpRequest.newBuilder(ledger).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        JsonNode entries = JsonMapper.shared().readTree(body);
        return StreamSupport.stream(entries.spliterator(), false)
                .filter(entry -> entry.path("account").asString("").equals(account)
                        && entry.path("customerId").asString("").equals(customerId))
                .count();
    }
}

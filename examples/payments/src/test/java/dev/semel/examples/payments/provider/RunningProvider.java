package dev.semel.examples.payments.provider;

import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A running provider over HTTP, and its files, which show independently what it did. */
final class RunningProvider implements AutoCloseable {

    /** How long a caller waits for an answer that is never sent. */
    private static final Duration IMPATIENCE = Duration.ofMillis(200);

    /** Longer than the slowest answer takes: a test that misses one fails, and does not hang. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final String ORDER = """
            {"customerId":"cus_1","amountCents":1999,"currency":"EUR","paymentMethod":"%s","account":"acme"}""";

    private final HttpClient http = HttpClient.newHttpClient();
    private final Path directory;
    private Provider provider;

    private RunningProvider(Path directory, Provider provider) {
        this.directory = directory;
        this.provider = provider;
    }

    static RunningProvider start(Path directory, ProviderSettings settings) throws IOException {
        return new RunningProvider(directory, Provider.start(0, directory, settings));
    }

    void stop() throws IOException {
        provider.close();
    }

    /** Starts it again with its ledger. */
    void start(ProviderSettings settings) throws IOException {
        provider = Provider.start(0, directory, settings);
    }

    Provider provider() {
        return provider;
    }

    HttpResponse<String> charge(String key, String method) {
        return chargeAsync(key, method).join();
    }

    CompletableFuture<HttpResponse<String>> chargeAsync(String key, String method) {
        return http.sendAsync(
                request(key).POST(ofString(ORDER.formatted(method))).build(), BodyHandlers.ofString());
    }

    /** @param reference in JSON */
    HttpResponse<String> chargeReferring(String key, String reference) throws Exception {
        return post(key, ORDER.formatted("pm_ok").replace("}", ",\"reference\":" + reference + "}"));
    }

    HttpResponse<String> post(String key, String body) throws Exception {
        return http.send(request(key).POST(ofString(body)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> postWithoutKey() throws Exception {
        URI charges = provider.uri().resolve("/charges");
        return http.send(
                HttpRequest.newBuilder(charges)
                        .POST(ofString(ORDER.formatted("pm_ok")))
                        .build(),
                BodyHandlers.ofString());
    }

    /** Sends a charge, and gives up after a while without an answer. */
    void assertNoAnswer(String key, String method) {
        HttpRequest impatient = request(key)
                .timeout(IMPATIENCE)
                .POST(ofString(ORDER.formatted(method)))
                .build();
        assertThatThrownBy(() -> http.send(impatient, BodyHandlers.discarding()))
                .isInstanceOf(HttpTimeoutException.class);
    }

    /** Sends a complete charge, and disconnects before the answer. */
    void chargeAndHangUp(String key, String method) throws IOException {
        String body = ORDER.formatted(method);
        try (Socket socket = new Socket(provider.uri().getHost(), provider.uri().getPort())) {
            socket.getOutputStream()
                    .write(
                            "POST /charges HTTP/1.1\r\nHost: provider\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n%s"
                                    .formatted(key, body.length(), body)
                                    .getBytes(StandardCharsets.US_ASCII));
        }
    }

    private HttpRequest.Builder request(String key) {
        return HttpRequest.newBuilder(provider.uri().resolve("/charges"))
                .timeout(PATIENCE)
                .header("Idempotency-Key", key);
    }

    HttpResponse<String> get(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(provider.uri() + path)).build();
        return http.sendAsync(request, BodyHandlers.ofString()).join();
    }

    /** The charges that were made. */
    long charges() {
        return lines("ledger.jsonl");
    }

    /** The keys whose first request was dropped. */
    long dropped() {
        return lines("dropped.jsonl");
    }

    private long lines(String file) {
        try {
            return Files.readAllLines(directory.resolve(file)).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        stop();
    }
}

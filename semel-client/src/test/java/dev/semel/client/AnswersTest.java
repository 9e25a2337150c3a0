package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A client and the answers of a server")
class AnswersTest {

    private final TestServer server = new TestServer();
    private final QuickTime time = new QuickTime();
    private final IdempotentClient client =
            IdempotentClient.over(HttpClient.newHttpClient()).time(time).build();

    @AfterEach
    void stop() {
        server.close();
    }

    private Result.Answered<String> answered(IdempotentClient sender) throws GaveUpException {
        return sender.send(server.payment(), BodyHandlers.ofString()).orElseThrow();
    }

    @Test
    void returns_status_headers_and_body_of_the_answer() throws GaveUpException {
        server.then(201, "application/json", "{\"id\":1}", "Location", "/payments/1");

        Result.Answered<String> answer = answered(client);

        assertThat(answer.status()).isEqualTo(201);
        assertThat(answer.headers().firstValue("Location")).contains("/payments/1");
        assertThat(answer.body()).isEqualTo("{\"id\":1}");
        assertThat(answer.attempts()).isEqualTo(1);
        assertThat(answer.replayed()).isFalse();
        assertThat(answer.outcomeUnknown()).isFalse();
        assertThat(answer.response().uri()).isEqualTo(server.uri("/payments"));
        assertThat(answer.response().previousResponse()).isEmpty();
        assertThat(server.keys()).containsExactly(answer.key());
    }

    @Test
    void creates_a_uuid_of_version_7_as_the_key_of_each_intent() throws GaveUpException {
        server.then(201, "text/plain", "").then(201, "text/plain", "");

        String first = answered(client).key();
        String second = answered(client).key();

        assertThat(first).isNotEqualTo(second);
        assertThat(UUID.fromString(first).version()).isEqualTo(7);
        assertThat(UUID.fromString(first).variant()).isEqualTo(2);
        assertThat(UUID.fromString(first).getMostSignificantBits() >>> 16).isEqualTo(QuickTime.START.toEpochMilli());
    }

    @Test
    void repeats_the_whole_request_with_the_same_key() throws GaveUpException {
        server.thenProblem(409, "idempotency_key_in_progress", "Retry-After", "1")
                .thenProblem(409, "idempotency_outcome_unknown", "Retry-After", "1")
                .then(425, "text/plain", "early")
                .then(429, "text/plain", "too many")
                .then(503, "text/html", "<p>down</p>")
                .then(201, "text/plain", "done", "Idempotency-Replayed", "true");

        Result.Answered<String> answer = answered(client);

        assertThat(answer.body()).isEqualTo("done");
        assertThat(answer.replayed()).isTrue();
        assertThat(answer.attempts()).isEqualTo(6);
        assertThat(server.received())
                .containsOnly(new TestServer.Received("POST", "/payments", List.of(answer.key()), "{\"amount\":100}"))
                .hasSize(6);
    }

    @Test
    void recognizes_a_replay_of_stripe() throws GaveUpException {
        server.then(200, "application/json", "{}", "Idempotent-Replayed", "true");

        assertThat(answered(client).replayed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 303, 400, 401, 402, 403, 404, 410, 413, 422, 501})
    void takes_other_statuses_as_final(int status) throws GaveUpException {
        server.then(status, "text/plain", "");

        assertThat(answered(client).status()).isEqualTo(status);
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void retries_202_and_409_only_if_they_are_about_the_key() throws GaveUpException {
        server.then(202, "application/json", "{\"job\":7}", "Location", "/jobs/7", "Retry-After", "5")
                .then(409, "application/json", "{\"code\":\"name_taken\"}")
                .then(
                        202,
                        "application/json",
                        "{\"state\":\"in_progress\",\"code\":\"idempotency_key_in_progress\",\"retryable\":true}",
                        "Location",
                        "/idempotency/status?operation=create-payment",
                        "Retry-After",
                        "1")
                .then(201, "text/plain", "done");

        assertThat(answered(client).body()).isEqualTo("{\"job\":7}");
        assertThat(answered(client).body()).isEqualTo("{\"code\":\"name_taken\"}");
        assertThat(answered(client).body()).isEqualTo("done");
        assertThat(server.received()).hasSize(4);
    }

    @Test
    void stops_at_the_replay_of_a_failure() throws GaveUpException {
        server.then(500, "application/json", "{}")
                .then(500, "application/json", "{\"oops\":1}", "Idempotent-Replayed", "true");

        Result.Answered<String> answer = answered(client);

        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.body()).isEqualTo("{\"oops\":1}");
        assertThat(answer.attempts()).isEqualTo(2);
    }

    @Test
    void follows_another_rule() throws GaveUpException {
        server.then(500, "text/plain", "oops").then(409, "text/plain", "").then(200, "text/plain", "done");
        IdempotentClient other = IdempotentClient.over(HttpClient.newHttpClient())
                .retryRule(RetryRule.standard().notOn(500).alsoOn(409))
                .time(time)
                .build();

        assertThat(answered(other).status()).isEqualTo(500);
        assertThat(answered(other).status()).isEqualTo(200);
    }

    @Test
    void reports_an_unknown_outcome_if_access_is_denied_after_a_lost_answer() throws GaveUpException {
        server.then(TestServer.loseAnswer()).then(401, "text/plain", "who?").then(401, "text/plain", "who?");

        assertThat(answered(client).outcomeUnknown()).isTrue();
        assertThat(answered(client).outcomeUnknown()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1000, PeekingSubscriber.LIMIT, PeekingSubscriber.LIMIT + 1, 3_000_000})
    void passes_every_byte_of_a_final_error_to_the_callers_handler(int length, @TempDir Path directory)
            throws IOException {
        String body = "\"" + "x".repeat(length) + "\"";
        for (int i = 0; i < 5; i++) {
            server.then(409, "application/json", body);
        }
        HttpRequest request = server.payment();

        assertThat(client.send(request, BodyHandlers.ofString()).orElseThrow().body())
                .isEqualTo(body);
        assertThat(client.send(request, BodyHandlers.ofByteArray())
                        .orElseThrow()
                        .body())
                .isEqualTo(body.getBytes(StandardCharsets.UTF_8));
        try (InputStream stream =
                client.send(request, BodyHandlers.ofInputStream()).orElseThrow().body()) {
            assertThat(stream.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo(body);
        }
        try (Stream<String> lines =
                client.send(request, BodyHandlers.ofLines()).orElseThrow().body()) {
            assertThat(lines.collect(Collectors.joining())).isEqualTo(body);
        }
        Path file = client.send(request, BodyHandlers.ofFile(directory.resolve("answer")))
                .orElseThrow()
                .body();
        assertThat(Files.readString(file)).isEqualTo(body);
        assertThat(server.received()).hasSize(5);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 1_000_000})
    void delivers_a_body_as_slowly_as_it_is_requested(int length) throws GaveUpException {
        String body = "x".repeat(length);
        server.then(409, "application/json", body);
        CompletableFuture<String> read = new CompletableFuture<>();

        client.send(server.payment(), BodyHandlers.ofPublisher())
                .orElseThrow()
                .body()
                .subscribe(new OneByOne(read));

        assertThat(read.join()).isEqualTo(body);
    }

    /** Requests one list of buffers after the other, each time on another thread. */
    private static final class OneByOne implements Flow.Subscriber<List<ByteBuffer>> {

        private final CompletableFuture<String> result;
        private final StringBuffer text = new StringBuffer();
        private Flow.Subscription subscription;

        private OneByOne(CompletableFuture<String> result) {
            this.result = result;
        }

        @Override
        public void onSubscribe(Flow.Subscription newSubscription) {
            subscription = newSubscription;
            CompletableFuture.runAsync(() -> subscription.request(1));
        }

        @Override
        public void onNext(List<ByteBuffer> buffers) {
            buffers.forEach(buffer -> text.append(StandardCharsets.UTF_8.decode(buffer)));
            CompletableFuture.runAsync(() -> subscription.request(1));
        }

        @Override
        public void onError(Throwable failure) {
            result.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            result.complete(text.toString());
        }
    }

    @Test
    void delivers_an_error_without_a_body() throws IOException {
        server.then(404, "application/json", "").then(404, "application/json", "");

        assertThat(answered(client).body()).isEmpty();
        try (InputStream stream = client.send(server.payment(), BodyHandlers.ofInputStream())
                .orElseThrow()
                .body()) {
            assertThat(stream.readAllBytes()).isEmpty();
        }
    }

    @Test
    void sends_a_body_from_a_stream_again() throws GaveUpException {
        server.then(TestServer.loseAnswer()).then(201, "text/plain", "done");
        HttpRequest request = HttpRequest.newBuilder(server.uri("/payments"))
                .POST(BodyPublishers.ofInputStream(
                        () -> new ByteArrayInputStream("streamed".getBytes(StandardCharsets.UTF_8))))
                .build();

        client.send(request, BodyHandlers.ofString()).orElseThrow();

        assertThat(server.received()).extracting(TestServer.Received::body).containsExactly("streamed", "streamed");
    }

    @Test
    void sends_keys_with_or_without_quotes_in_the_configured_header() throws GaveUpException {
        server.then(201, "text/plain", "").then(201, "text/plain", "");
        ClientIntent intent = ClientIntent.of(server.payment()).withKey("a\"b\\c");

        assertThat(client.send(intent, BodyHandlers.ofString()).orElseThrow().key())
                .isEqualTo("a\"b\\c");
        server.keysIn("X-Request-Id");
        IdempotentClient other = IdempotentClient.over(HttpClient.newHttpClient())
                .keyHeader("X-Request-Id")
                .quotedKeys()
                .build();
        other.send(intent, BodyHandlers.ofString()).orElseThrow();

        assertThat(server.keys()).containsExactly("a\"b\\c", "\"a\\\"b\\\\c\"");
    }

    @Test
    void refuses_a_request_that_already_has_a_key() {
        HttpRequest request = HttpRequest.newBuilder(server.uri("/payments"))
                .header("idempotency-key", "k1")
                .POST(BodyPublishers.noBody())
                .build();

        assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ClientIntent.withKey");
        assertThat(server.received()).isEmpty();
    }

    @Test
    void refuses_safe_methods_and_invalid_keys() {
        HttpRequest get = HttpRequest.newBuilder(server.uri("/payments")).build();
        ClientIntent intent = ClientIntent.of(server.payment());

        assertThatThrownBy(() -> client.send(get, BodyHandlers.ofString()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("GET is a safe method");
        assertThatThrownBy(() -> intent.withKey("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> intent.withKey("a b")).hasMessageContaining("character 2");
        assertThatThrownBy(() -> intent.withKey("a".repeat(256))).hasMessageContaining("256");
        assertThatThrownBy(() -> client.send(intent.withKey("\"a\""), BodyHandlers.ofString()))
                .hasMessageContaining("quotedKeys");
        assertThatThrownBy(() -> client.send(intent.withKey("a,b"), BodyHandlers.ofString()))
                .hasMessageContaining("comma")
                .hasMessageContaining("quotedKeys");
        assertThatThrownBy(() -> client.send(ClientIntent.named("n", server.payment()), BodyHandlers.ofString()))
                .hasMessageContaining("no journal");
        assertThat(server.received()).isEmpty();
    }

    @Test
    void follows_redirects_with_the_key_if_the_http_client_does() throws GaveUpException {
        server.then(307, "text/plain", "", "Location", "/elsewhere").then(201, "text/plain", "there");
        IdempotentClient following = IdempotentClient.over(HttpClient.newBuilder()
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build())
                .build();

        Result.Answered<String> answer = answered(following);

        assertThat(answer.body()).isEqualTo("there");
        assertThat(answer.response().previousResponse().orElseThrow().statusCode())
                .isEqualTo(307);
        assertThat(server.received()).extracting(TestServer.Received::path).containsExactly("/payments", "/elsewhere");
        assertThat(server.keys()).containsExactly(answer.key());
    }
}

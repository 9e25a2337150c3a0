package dev.semel.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RequestPredicates;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;

@DisplayName("The protocol in a WebFlux application")
class ReactiveProtocolTest {

    private static final String LINK = "<https://example.org/keys>; rel=\"describedby\"";
    private static final String JSON = "{\"amount\":1}";

    private static ReactiveServer application;

    @RestController
    static class Endpoints {

        private final AtomicInteger executions = new AtomicInteger();
        private final CompletableFuture<String> held = new CompletableFuture<>();

        @PostMapping({"/pay", "/content"})
        Mono<ResponseEntity<String>> pay(@RequestBody(required = false) byte[] body) {
            return Mono.fromSupplier(
                    () -> ResponseEntity.status(201).body("execution " + executions.incrementAndGet()));
        }

        @PostMapping("/held")
        Mono<String> held() {
            executions.incrementAndGet();
            return Mono.fromFuture(held, true);
        }

        @Bean
        RouterFunction<ServerResponse> search() {
            return RouterFunctions.route(
                    RequestPredicates.method(HttpMethod.valueOf("QUERY")).and(RequestPredicates.path("/search")),
                    request -> ServerResponse.ok().bodyValue("search " + executions.incrementAndGet()));
        }
    }

    @BeforeAll
    static void start() {
        application = ReactiveServer.of(Endpoints.class)
                .gate(gate -> gate.documentation(URI.create("https://example.org/keys")))
                .route("/content", policy -> policy.keyFromContent().fingerprintHeaders("X-Currency"))
                .elsewhere(policy -> policy.keyRequired())
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    private static void assertLinked(HttpResponse<String> response, int status, String code) {
        assertThat(response.statusCode()).isEqualTo(status);
        assertThat(response.body()).contains("\"code\":\"" + code + "\"");
        assertThat(response.headers().allValues("Link")).containsExactly(LINK);
    }

    @Test
    void lets_query_pass_like_get() {
        HttpRequest.Builder query = application
                .request("/search", "Idempotency-Key", "q", "Content-Type", "application/json")
                .method("QUERY", BodyPublishers.ofString("{}"));

        String first = application.send(query).body();
        HttpResponse<String> second = application.send(query);

        assertThat(first).startsWith("search ");
        assertThat(second.body()).startsWith("search ").isNotEqualTo(first);
        assertThat(ReactiveServer.isReplay(second)).isFalse();
    }

    @Test
    void says_in_each_answer_what_a_client_can_rely_on() {
        HttpResponse<String> first = application.post("/pay", "promised", JSON);
        HttpResponse<String> replay = application.post("/pay", "promised", JSON);
        HttpResponse<String> mismatch = application.post("/pay", "promised", "{\"amount\":2}");

        for (HttpResponse<String> each : List.of(first, replay, mismatch)) {
            assertThat(each.headers().allValues("Idempotency-Key")).containsExactly("promised");
        }
        assertThat(first.headers().allValues("Idempotency-Expires")).hasSize(1);
        assertThat(first.headers().allValues("Idempotency-Age")).isEmpty();
        assertThat(replay.headers().allValues("Idempotency-Expires")).hasSize(1);
        assertThat(replay.headers().allValues("Idempotency-Age")).hasSize(1);
        assertThat(mismatch.headers().allValues("Idempotency-Expires")).isEmpty();
    }

    @Test
    void links_every_problem_to_the_documentation() {
        application.post("/pay", "linked", JSON);

        assertLinked(
                application.post("/pay", "linked", "{\"amount\":2}"),
                422,
                "idempotency_key_reused_with_different_payload");
        assertLinked(application.post("/pay", "k,k", JSON), 400, "idempotency_key_invalid");
        assertLinked(
                application.get("/idempotency/status?operation=nope", "Idempotency-Key", "linked"),
                400,
                "idempotency_operation_unknown");
        int before = application.bean(Endpoints.class).executions.get();
        CompletableFuture<HttpResponse<String>> running =
                application.sendLater(application.posting("/held", "h", JSON));
        Awaitility.await()
                .until(() -> application.bean(Endpoints.class).executions.get() > before);
        assertLinked(application.post("/held", "h", JSON), 409, "idempotency_key_in_progress");
        application.bean(Endpoints.class).held.complete("done");
        assertThat(running.join().headers().allValues("Link")).isEmpty();
    }

    @Test
    void gives_a_content_key_to_each_value_of_a_header_that_counts() {
        String euro = content("EUR").body();
        String dollar = content("USD").body();

        assertThat(euro).isNotEqualTo(dollar);
        assertThat(content("EUR").body()).isEqualTo(euro);
        assertThat(content("USD").body()).isEqualTo(dollar);
    }

    private static HttpResponse<String> content(String currency) {
        HttpResponse<String> response = application.send(application
                .request("/content", "X-Currency", currency, "Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JSON)));
        assertThat(response.statusCode()).isEqualTo(201);
        return response;
    }

    @Test
    void distinguishes_the_same_bytes_with_and_without_gzip() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(JSON.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(send("gz", packed.toByteArray(), "application/json", "gzip").statusCode())
                .isEqualTo(201);
        assertThat(ReactiveServer.isReplay(send("gz", packed.toByteArray(), "application/json", "x-gzip")))
                .isTrue();
        assertThat(send("gz", packed.toByteArray(), "application/json", "identity")
                        .statusCode())
                .isEqualTo(422);
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json; charset=iso-8859-1", "application/json; charset=utf-16"})
    void distinguishes_json_in_another_character_set(String contentType) {
        byte[] body = JSON.getBytes(StandardCharsets.UTF_8);
        String key = contentType.substring(contentType.length() - 6);

        assertThat(send(key, body, "application/json", "identity").statusCode()).isEqualTo(201);
        assertThat(ReactiveServer.isReplay(send(key, body, "application/json;charset=\"UTF-8\"", "identity")))
                .isTrue();
        assertThat(send(key, body, contentType, "identity").statusCode()).isEqualTo(422);
    }

    private static HttpResponse<String> send(String key, byte[] body, String contentType, String coding) {
        return application.send(application
                .request("/pay", "Idempotency-Key", key, "Content-Type", contentType, "Content-Encoding", coding)
                .POST(BodyPublishers.ofByteArray(body)));
    }
}

package dev.semel.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.key.KeyHygiene;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.annotation.Bean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseCookie;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A repeated request to a WebFlux application")
class ReactiveReplayTest {

    private static ReactiveServer application;

    private Endpoints endpoints;

    @RestController
    static class Endpoints {

        private final AtomicInteger executions = new AtomicInteger();
        private volatile CompletableFuture<String> held = new CompletableFuture<>();

        @PostMapping("/mono")
        Mono<ResponseEntity<Map<String, Object>>> mono(@RequestBody Map<String, Object> payment) {
            return Mono.fromSupplier(() -> ResponseEntity.status(201)
                    .header("Location", "/payments/" + executions.incrementAndGet())
                    .header("X-Repeated", "one", "two")
                    .header("Set-Cookie", "a=b")
                    .body(new TreeMap<>(Map.of("amount", payment.get("amount"), "id", UUID.randomUUID()))));
        }

        @PostMapping(path = "/ndjson", produces = MediaType.APPLICATION_NDJSON_VALUE)
        Flux<Map<String, Integer>> ndjson() {
            int execution = executions.incrementAndGet();
            return Flux.range(1, 20).delayElements(Duration.ofMillis(1)).map(n -> Map.of("of-" + execution, n));
        }

        @PostMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            int execution = executions.incrementAndGet();
            return Flux.range(1, 5).delayElements(Duration.ofMillis(1)).map(n -> "event " + n + " of " + execution);
        }

        @PostMapping("/text")
        Flux<String> text() {
            return Flux.just("execution ", "number ", String.valueOf(executions.incrementAndGet()));
        }

        @PostMapping("/buffers")
        Mono<Void> buffers(ServerWebExchange exchange) {
            byte execution = (byte) executions.incrementAndGet();
            exchange.getResponse().getHeaders().setContentType(MediaType.APPLICATION_OCTET_STREAM);
            exchange.getResponse()
                    .addCookie(ResponseCookie.from("session", "secret").build());
            Flux<DataBuffer> pieces = Flux.range(0, 100)
                    .map(n -> exchange.getResponse().bufferFactory().wrap(new byte[] {execution, n.byteValue()}));
            return exchange.getResponse().writeWith(pieces);
        }

        @PostMapping("/nothing")
        @ResponseStatus(HttpStatus.NO_CONTENT)
        Mono<Void> nothing() {
            return Mono.fromRunnable(executions::incrementAndGet);
        }

        @PostMapping("/committed")
        Mono<String> committed(ServerWebExchange exchange) {
            exchange.getResponse()
                    .beforeCommit(() -> Mono.fromRunnable(() -> exchange.getResponse()
                            .getHeaders()
                            .set("X-Committed", "by " + executions.incrementAndGet())));
            return Mono.just("done");
        }

        @PostMapping("/form")
        Mono<String> form(ServerWebExchange exchange) {
            return exchange.getFormData().map(form -> executions.incrementAndGet() + form.getFirst("amount"));
        }

        @PostMapping("/parts")
        Mono<String> parts(@RequestPart("file") FilePart file) {
            return DataBufferUtils.join(file.content())
                    .map(content -> executions.incrementAndGet() + content.toString(StandardCharsets.UTF_8));
        }

        @PostMapping("/held")
        Mono<String> held() {
            executions.incrementAndGet();
            return Mono.fromFuture(held, true);
        }

        @PostMapping("/required")
        Mono<String> required(@RequestBody String body) {
            return Mono.just(executions.incrementAndGet() + body);
        }

        @Bean
        RouterFunction<ServerResponse> functions() {
            return RouterFunctions.route()
                    .POST(
                            "/function",
                            request -> request.bodyToMono(String.class)
                                    .flatMap(body ->
                                            ServerResponse.accepted().bodyValue(body + executions.incrementAndGet())))
                    .build();
        }
    }

    @BeforeAll
    static void start() {
        application = ReactiveServer.of(Endpoints.class)
                .route("/held", Operation.named("waits").waitUpTo(Duration.ofSeconds(10)), policy -> policy)
                .route("/required", policy -> policy.keyRequired().maxRequestBody(100))
                .route("/careful", policy -> policy.keyHygiene(KeyHygiene.REFUSE))
                .start();
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void reset() {
        endpoints = application.bean(Endpoints.class);
        endpoints.executions.set(0);
        application.store().outOfPlace.clear();
        endpoints.held = new CompletableFuture<>();
    }

    @AfterEach
    void no_store_call_ran_on_a_thread_that_must_not_block() {
        assertThat(application.store().outOfPlace).isEmpty();
    }

    private static Map<String, List<String>> keptHeaders(HttpResponse<?> response) {
        Map<String, List<String>> headers = new HashMap<>(response.headers().map());
        headers.keySet().removeIf(name -> name.matches("(?i)set-cookie|date|idempotency-(replayed|key|age|expires)"));
        return headers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/mono", "/ndjson", "/events", "/text", "/buffers", "/nothing", "/committed", "/function"})
    void gets_the_same_bytes_and_headers_without_its_handler(String path) {
        HttpResponse<String> first = application.post(path, "same" + path, "{\"amount\":100}");
        HttpResponse<String> second = application.post(path, "same" + path, "{ \"amount\": 100 }");

        assertThat(first.statusCode()).isBetween(200, 204);
        assertThat(ReactiveServer.isReplay(first)).isFalse();
        assertThat(ReactiveServer.isReplay(second)).isTrue();
        assertThat(second.statusCode()).isEqualTo(first.statusCode());
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(keptHeaders(second)).isEqualTo(keptHeaders(first));
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void keeps_repeated_headers_and_no_cookies() {
        HttpResponse<String> first = application.post("/mono", "headers", "{\"amount\":1}");
        HttpResponse<String> second = application.post("/mono", "headers", "{\"amount\":1}");

        assertThat(first.headers().allValues("Set-Cookie")).containsExactly("a=b");
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(JsonMapper.shared().readTree(second.body()).path("amount").asInt())
                .isEqualTo(1);
        assertThat(second.headers().allValues("X-Repeated")).containsExactly("one", "two");
        assertThat(second.headers().allValues("Location")).containsExactly("/payments/1");
        assertThat(second.headers().allValues("Set-Cookie")).isEmpty();
        assertThat(application.post("/buffers", "cookie", "{}").headers().allValues("Set-Cookie"))
                .containsExactly("session=secret");
    }

    @Test
    void gets_the_whole_stream() {
        assertThat(application.post("/ndjson", "lines", "{}").body().lines()).hasSize(20);
        assertThat(application.post("/ndjson", "lines", "{}").body().lines()).hasSize(20);
        assertThat(application.post("/events", "events", "{}").body()).contains("data:event 5 of 2");
    }

    @Test
    void may_read_its_body_as_a_form() {
        HttpRequest.Builder form = application
                .request("/form", "Content-Type", "application/x-www-form-urlencoded", "Idempotency-Key", "form")
                .POST(HttpRequest.BodyPublishers.ofString("amount=100&x=y"));

        assertThat(application.send(form).body()).isEqualTo("1100");
        assertThat(application.send(form).body()).isEqualTo("1100");
    }

    @Test
    void may_read_its_body_as_parts_and_counts_without_the_boundary() {
        assertThat(application.send(multipart("first")).body()).isEqualTo("1hello");
        assertThat(application.send(multipart("second")).body()).isEqualTo("1hello");
    }

    private static HttpRequest.Builder multipart(String boundary) {
        return application
                .request(
                        "/parts",
                        "Content-Type",
                        "multipart/form-data; boundary=" + boundary,
                        "Idempotency-Key",
                        "parts")
                .POST(HttpRequest.BodyPublishers.ofString("--" + boundary + "\r\nContent-Disposition: form-data;"
                        + " name=\"file\"; filename=\"f\"\r\n\r\nhello\r\n--" + boundary + "--\r\n"));
    }

    @Test
    void with_another_body_is_a_misuse_of_the_key() {
        application.post("/mono", "misused", "{\"amount\":100}");
        HttpResponse<String> other = application.post("/mono", "misused", "{\"amount\":200}");

        assertThat(other.statusCode()).isEqualTo(422);
        assertThat(other.body()).contains("idempotency_key_reused_with_different_payload");
        assertThat(other.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void is_refused_without_a_key_where_one_is_required_and_passes_elsewhere() {
        HttpRequest.Builder without = application.request("/required").POST(HttpRequest.BodyPublishers.ofString("x"));
        assertThat(application.send(without).statusCode()).isEqualTo(400);
        assertThat(endpoints.executions).hasValue(0);

        HttpRequest.Builder elsewhere = application.request("/text").POST(HttpRequest.BodyPublishers.ofString("x"));
        assertThat(application.send(elsewhere).body()).isEqualTo("execution number 1");
        assertThat(application.send(elsewhere).body()).isEqualTo("execution number 2");
    }

    @Test
    void does_not_escape_its_policy_in_another_spelling() {
        HttpRequest.Builder without =
                application.request("/requ%69red;v=1").POST(HttpRequest.BodyPublishers.ofString("x"));

        assertThat(application.send(without).body()).contains("idempotency_key_missing");
    }

    @Test
    void with_too_long_a_body_is_refused_before_anything_is_claimed() {
        assertThat(application.post("/required", "long", "x".repeat(101)).statusCode())
                .isEqualTo(413);
        byte[] chunk = new byte[60];
        HttpRequest.Builder chunked = application
                .request("/required", "Idempotency-Key", "long")
                .POST(HttpRequest.BodyPublishers.ofByteArrays(List.of(chunk, chunk)));
        assertThat(application.send(chunked).body()).contains("idempotency_body_too_large");
        assertThat(application.post("/required", "long", "fits").body()).isEqualTo("1fits");
    }

    @Test
    void waits_for_the_first_and_gets_its_response() {
        CompletableFuture<HttpResponse<String>> first = application.sendLater(application.posting("/held", "w", "{}"));
        Awaitility.await().until(() -> endpoints.executions.get() == 1);
        CompletableFuture<HttpResponse<String>> second = application.sendLater(application.posting("/held", "w", "{}"));
        assertThat(application
                        .get("/idempotency/status", "Idempotency-Key", "w")
                        .statusCode())
                .isEqualTo(202);
        endpoints.held.complete("result");

        assertThat(first.join().body()).isEqualTo("result");
        assertThat(second.join().body()).isEqualTo("result");
        assertThat(ReactiveServer.isReplay(second.join())).isTrue();
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void can_be_asked_for_its_state() {
        assertThat(application
                        .get("/idempotency/status", "Idempotency-Key", "s")
                        .statusCode())
                .isEqualTo(404);
        HttpResponse<String> first = application.post("/text", "s", "{}");
        HttpResponse<String> state = application.get("/idempotency/status", "Idempotency-Key", "s");

        assertThat(state.statusCode()).isEqualTo(200);
        assertThat(state.body()).isEqualTo(first.body());
    }

    @Test
    void runs_its_handler_once_among_64_at_once() {
        List<CompletableFuture<HttpResponse<String>>> all = IntStream.range(0, 64)
                .mapToObj(n -> application.sendLater(application.posting("/held", "crowd", "{}")))
                .toList();
        Awaitility.await().until(() -> endpoints.executions.get() > 0);
        endpoints.held.complete("once");

        assertThat(all).allSatisfy(one -> {
            assertThat(one.join().statusCode()).isEqualTo(200);
            assertThat(one.join().body()).isEqualTo("once");
        });
        assertThat(all.stream().filter(one -> ReactiveServer.isReplay(one.join())))
                .hasSize(63);
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void is_refused_where_its_key_looks_like_personal_data() {
        HttpResponse<String> reply = application.post("/careful", "jane@example.com", "{}");

        assertThat(reply.statusCode()).isEqualTo(400);
        assertThat(reply.body())
                .contains("idempotency_key_invalid", "looks like an e-mail address")
                .doesNotContain("jane");
        assertThat(endpoints.executions).hasValue(0);
    }
}

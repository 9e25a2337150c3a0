package dev.semel.http.reactive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.http.StoreDown;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DisplayName("In a WebFlux application")
class ReactiveClientTest {

    private static final int CHUNK = 10_000;

    private ReactiveServer application;
    private Endpoints endpoints;

    @RestController
    static class Endpoints {

        private final AtomicInteger executions = new AtomicInteger();
        private final AtomicInteger chunks = new AtomicInteger();
        private final AtomicBoolean cancelled = new AtomicBoolean();
        private final CompletableFuture<String> held = new CompletableFuture<>();

        @PostMapping("/held")
        Mono<String> held() {
            executions.incrementAndGet();
            return Mono.fromFuture(held, true).doOnCancel(() -> cancelled.set(true));
        }

        private Flux<DataBuffer> pieces(ServerWebExchange exchange, int count) {
            executions.incrementAndGet();
            return Flux.range(0, count)
                    .doOnNext(n -> chunks.incrementAndGet())
                    .doOnCancel(() -> cancelled.set(true))
                    .map(n -> exchange.getResponse().bufferFactory().wrap(new byte[CHUNK]));
        }

        @PostMapping("/small")
        Mono<Void> small(ServerWebExchange exchange) {
            return exchange.getResponse().writeWith(pieces(exchange, 10));
        }

        @PostMapping("/large")
        Mono<Void> large(ServerWebExchange exchange) {
            exchange.getResponse().getHeaders().set("X-Large", "yes");
            return exchange.getResponse().writeWith(pieces(exchange, 1000));
        }

        @PostMapping("/flushed")
        Mono<Void> flushed(ServerWebExchange exchange) {
            return exchange.getResponse().writeAndFlushWith(pieces(exchange, 10).map(Mono::just));
        }

        @PostMapping("/broken")
        Mono<Void> broken(ServerWebExchange exchange) {
            return exchange.getResponse()
                    .writeWith(pieces(exchange, 100).concatWith(Flux.error(new IllegalStateException("late"))));
        }

        @PostMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            executions.incrementAndGet();
            return Flux.range(0, 50).delayElements(Duration.ofMillis(1)).map(n -> "x".repeat(CHUNK));
        }

        @PostMapping("/open")
        Mono<String> open(@RequestBody String body) {
            executions.incrementAndGet();
            return Mono.just(body);
        }

        @GetMapping("/alive")
        Mono<String> alive() {
            return Mono.just(Thread.currentThread().getName());
        }
    }

    @BeforeEach
    void start() {
        application = ReactiveServer.of(Endpoints.class)
                .route("/open", policy -> policy.storeDown(StoreDown.FAIL_OPEN))
                .elsewhere(policy -> policy.maxRecordedResponse(11 * CHUNK))
                .start();
        endpoints = application.bean(Endpoints.class);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void a_client_that_goes_cancels_neither_its_handler_nor_the_record() throws Exception {
        Socket socket = application.open("/held", "gone", "{}");
        Awaitility.await().until(() -> endpoints.executions.get() == 1);
        ReactiveServer.abort(socket);
        // Netty has noticed by now: it answers other requests on the same and only thread.
        application.get("/alive");
        endpoints.held.complete("late, but here");

        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(application.post("/held", "gone", "{}").body())
                                .isEqualTo("late, but here"));
        assertThat(endpoints.cancelled).isFalse();
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void a_client_that_goes_while_its_key_is_claimed_leaves_no_key_behind() throws Exception {
        CountDownLatch claiming = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        application.store().beforeClaim = () -> {
            claiming.countDown();
            awaiting(go);
        };
        Socket socket = application.open("/small", "between", "{}");
        claiming.await();
        ReactiveServer.abort(socket);
        application.get("/alive");
        application.store().beforeClaim = () -> {};
        go.countDown();

        Awaitility.await()
                .untilAsserted(() -> assertThat(
                                application.post("/small", "between", "{}").statusCode())
                        .isEqualTo(200));
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void a_client_that_goes_in_the_middle_of_a_large_response_stops_nothing() throws Exception {
        Socket socket = application.open("/large", "half", "{}");
        assertThat(socket.getInputStream().readNBytes(100)).hasSize(100);
        ReactiveServer.abort(socket);

        Awaitility.await().until(() -> endpoints.chunks.get() == 1000);
        assertThat(endpoints.cancelled).isFalse();
        assertThat(application.post("/large", "half", "{}").body()).contains("idempotency_response_not_retained");
    }

    @Test
    void a_response_beyond_the_limit_is_streamed_and_not_retained() {
        HttpResponse<String> first = application.post("/large", "large", "{}");
        HttpResponse<String> second = application.post("/large", "large", "{}");

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).hasSize(1000 * CHUNK);
        assertThat(first.headers().firstValue("X-Large")).contains("yes");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("idempotency_response_not_retained");
        assertThat(endpoints.executions).hasValue(1);
    }

    @Test
    void a_large_response_is_requested_no_faster_than_its_client_reads() throws Exception {
        Socket socket = application.open("/large", "slow", "{}");
        assertThat(socket.getInputStream().readNBytes(100)).hasSize(100);
        application.get("/alive");
        // What fits into the buffers between the two is less than all of it.
        assertThat(endpoints.chunks.get()).isLessThan(1000);
        ReactiveServer.abort(socket);
    }

    @Test
    void events_beyond_the_limit_are_streamed() {
        assertThat(application.post("/events", "events", "{}").body().lines()).hasSize(100);
        assertThat(application.post("/events", "events", "{}").statusCode()).isEqualTo(409);
    }

    @Test
    void a_failure_within_a_large_response_breaks_it_off() {
        CompletableFuture<HttpResponse<String>> broken =
                application.sendLater(application.posting("/broken", "broken", "{}"));

        Awaitility.await().until(broken::isDone);
        assertThat(broken).isCompletedExceptionally();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/small", "/flushed", "/large", "/events"})
    void nothing_is_sent_before_the_record_is_durable(String path) throws Exception {
        CompletableFuture<Socket> client = new CompletableFuture<>();
        AtomicInteger arrived = new AtomicInteger(-1);
        application.store().beforeSettle = () -> {
            // Whatever was written by now has left: this is answered on the same and only event loop.
            application.get("/alive");
            arrived.set(available(client.join()));
        };
        try (Socket socket = application.open(path, "durable", "{}")) {
            client.complete(socket);
            assertThat(new String(socket.getInputStream().readNBytes(15))).isEqualTo("HTTP/1.1 200 OK");
        }
        assertThat(arrived).hasValue(0);
    }

    private static int available(Socket socket) {
        try {
            return socket.getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void a_store_that_blocks_its_callers_does_not_block_the_event_loop() throws Exception {
        CountDownLatch claiming = new CountDownLatch(1);
        CountDownLatch settling = new CountDownLatch(1);
        CountDownLatch claim = new CountDownLatch(1);
        CountDownLatch settle = new CountDownLatch(1);
        application.store().beforeClaim = () -> {
            claiming.countDown();
            awaiting(claim);
        };
        application.store().beforeSettle = () -> {
            settling.countDown();
            awaiting(settle);
        };
        CompletableFuture<HttpResponse<String>> waiting =
                application.sendLater(application.posting("/small", "blocked", "{}"));
        claiming.await();
        assertThat(application.get("/alive").body()).contains("only");
        claim.countDown();
        settling.await();
        assertThat(application.get("/alive").body()).contains("only");
        assertThat(waiting).isNotDone();
        settle.countDown();

        assertThat(waiting.join().statusCode()).isEqualTo(200);
        assertThat(application.store().outOfPlace).isEmpty();
    }

    @Test
    void a_duplicate_is_refused_while_the_first_runs() {
        CompletableFuture<HttpResponse<String>> first =
                application.sendLater(application.posting("/held", "busy", "{}"));
        Awaitility.await().until(() -> endpoints.executions.get() == 1);
        HttpResponse<String> second = application.post("/held", "busy", "{}");
        endpoints.held.complete("done");

        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("idempotency_key_in_progress");
        assertThat(second.headers().firstValue("Retry-After")).isPresent();
        assertThat(first.join().body()).isEqualTo("done");
    }

    @Test
    void nothing_is_executed_while_the_store_is_down_unless_a_route_fails_open() {
        application.store().beforeClaim = () -> {
            throw new StoreException("down");
        };

        HttpResponse<String> closed = application.post("/small", "down", "{}");
        assertThat(closed.statusCode()).isEqualTo(503);
        assertThat(closed.body()).contains("idempotency_store_unavailable");
        assertThat(endpoints.executions).hasValue(0);

        HttpResponse<String> open = application.post("/open", "down", "{\"a\":1}");
        assertThat(open.body()).isEqualTo("{\"a\":1}");
        assertThat(open.headers().firstValue("Idempotency-Protected")).contains("false");
    }

    private static void awaiting(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.semel.http.jdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.engine.SemelEngine;
import dev.semel.http.Gate;
import dev.semel.http.RoutePolicy;
import dev.semel.http.Routes;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.memory.MemoryStore;
import dev.semel.testsupport.http.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The exchange that a handler of the JDK's server gets")
class SemelHttpHandlerTest {

    private static final byte[] DONE = "done".getBytes(StandardCharsets.UTF_8);

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
    private final AtomicInteger executions = new AtomicInteger();
    private JdkServer server;

    @AfterEach
    void close() {
        server.close();
        semel.close();
    }

    private Gate gate(Failures failures) {
        Routes routes = Routes.builder()
                .unprotected("*", "/unprotected/**")
                .protect(
                        "*",
                        "*",
                        RoutePolicy.of(Operation.named("create-payment").failures(failures))
                                .build())
                .build();
        return Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();
    }

    private void start(Failures failures, HttpHandler handler, Filter... filters) throws IOException {
        HttpHandler counting = exchange -> {
            executions.incrementAndGet();
            handler.handle(exchange);
        };
        server = JdkServer.start(new SemelHttpHandler(gate(failures), counting), filters);
    }

    private void start(HttpHandler handler) throws IOException {
        start(Failures.REPLAY, handler);
    }

    private Wire.Request payment(String key) {
        return new Wire.Request("POST", "/payments").key(key).json("{\"amount\":100}");
    }

    private Wire.Reply pay(String key) {
        return payment(key).send(server.port());
    }

    private State state(String key) {
        return semel.find(Identity.of(JdkServer.REALM + ":alice", key))
                .orElseThrow()
                .state();
    }

    private void assertUnknown(Wire.Reply reply) {
        assertThat(reply.text()).contains("idempotency_outcome_unknown");
        assertThat(reply.status()).isEqualTo(409);
        assertThat(state("k")).isEqualTo(State.UNKNOWN);
    }

    @Test
    void can_be_answered_by_another_thread_later() throws IOException {
        AtomicReference<HttpExchange> waiting = new AtomicReference<>();
        start(waiting::set);
        CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> pay("k"));
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> waiting.get() != null);

        assertThat(pay("k").text()).contains("idempotency_key_in_progress");
        try (HttpExchange exchange = waiting.get()) {
            exchange.sendResponseHeaders(201, DONE.length);
            exchange.getResponseBody().write(DONE);
        }
        assertThat(first.join().text()).isEqualTo("done");
        assertThat(pay("k").essence()).isEqualTo(first.join().essence());
        assertThat(pay("k").replayed()).isTrue();
        assertThat(executions).hasValue(1);
    }

    @Test
    void can_be_answered_without_a_body_by_another_thread() throws IOException {
        start(exchange -> CompletableFuture.runAsync(() -> {
            try {
                exchange.sendResponseHeaders(204, -1);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }));
        assertThat(pay("k").status()).isEqualTo(204);
        assertThat(pay("k").replayed()).isTrue();
    }

    @Test
    void is_whole_when_the_announced_body_is_written_although_it_is_not_closed() throws IOException {
        start(exchange -> {
            exchange.sendResponseHeaders(200, DONE.length);
            exchange.getResponseBody().write(DONE);
        });
        assertThat(pay("k").text()).isEqualTo("done");
        assertThat(pay("k").replayed()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void leaves_the_outcome_unknown_when_it_is_closed_without_a_response(boolean later) throws IOException {
        start(exchange -> {
            if (later) {
                CompletableFuture.runAsync(exchange::close);
            } else {
                exchange.close();
            }
        });
        assertUnknown(pay("k"));
        assertUnknown(pay("k"));
        assertThat(executions).hasValue(1);
    }

    @ParameterizedTest
    @EnumSource(Failures.class)
    void fails_when_less_is_written_than_announced(Failures failures) throws IOException {
        start(failures, exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, 10);
                exchange.getResponseBody().write(DONE);
            }
        });
        switch (failures) {
            case REPLAY -> {
                assertThat(pay("k").text()).contains("request_failed").doesNotContain("done");
                assertThat(pay("k").replayed()).isTrue();
                assertThat(executions).hasValue(1);
            }
            case RETRY -> {
                assertThatThrownBy(() -> pay("k")).hasMessageContaining("closed");
                assertThat(state("k")).isEqualTo(State.FAILED_RETRYABLE);
            }
            case RECONCILE -> {
                assertThatThrownBy(() -> pay("k")).hasMessageContaining("closed");
                assertUnknown(pay("k"));
            }
        }
    }

    /** Code that throws closes its response first. */
    @ParameterizedTest
    @ValueSource(longs = {0, 4})
    void that_is_closed_on_the_way_out_of_an_exception_is_judged_by_the_exception(long announced) throws IOException {
        start(exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, announced);
                try (OutputStream out = exchange.getResponseBody()) {
                    out.write(DONE);
                    throw new NotExecutedException("no connection");
                }
            }
        });
        assertThat(pay("k").text()).contains("idempotency_not_executed").doesNotContain("done");
        assertThat(state("k")).isEqualTo(State.FAILED_RETRYABLE);
    }

    @Test
    void refuses_what_the_server_refuses() throws IOException {
        AtomicReference<List<Throwable>> refused = new AtomicReference<>(List.of());
        start(exchange -> {
            OutputStream out = exchange.getResponseBody();
            List<Throwable> all = new ArrayList<>();
            all.add(catchThrowable(() -> out.write(DONE)));
            all.add(catchThrowable(out::close));
            assertThat(exchange.getResponseCode()).isEqualTo(-1);
            exchange.sendResponseHeaders(200, DONE.length);
            assertThat(exchange.getResponseCode()).isEqualTo(200);
            all.add(catchThrowable(() -> exchange.sendResponseHeaders(201, -1)));
            out.write(DONE);
            all.add(catchThrowable(() -> out.write(1)));
            out.close();
            all.add(catchThrowable(() -> out.write(1)));
            refused.set(all);
        });
        assertThat(pay("k").text()).isEqualTo("done");
        assertThat(refused.get()).hasSize(5).allMatch(failure -> failure instanceof IOException);
    }

    @Test
    void shows_the_headers_of_earlier_filters_which_are_not_recorded_and_not_lost() throws IOException {
        AtomicInteger requests = new AtomicInteger();
        Filter outer = Filter.beforeHandler("numbers", exchange -> {
            exchange.getResponseHeaders().set("X-Request", String.valueOf(requests.incrementAndGet()));
            exchange.getResponseHeaders().add("Vary", "Origin");
            exchange.getResponseHeaders().set("X-Removed", "yes");
        });
        start(
                Failures.REPLAY,
                exchange -> {
                    exchange.getResponseHeaders().add("Vary", "Accept");
                    exchange.getResponseHeaders().remove("X-Removed");
                    String seen = exchange.getResponseHeaders().getFirst("X-Request");
                    exchange.getResponseHeaders().set("X-Seen", seen);
                    exchange.sendResponseHeaders(200, -1);
                },
                outer);
        Wire.Reply first = pay("k");
        Wire.Reply replay = pay("k");

        assertThat(first.all("X-Request")).containsExactly("1");
        assertThat(first.all("X-Seen")).containsExactly("1");
        assertThat(first.all("X-Removed")).isEmpty();
        assertThat(replay.replayed()).isTrue();
        assertThat(replay.all("X-Request")).containsExactly("2");
        assertThat(replay.all("X-Seen")).containsExactly("1");
        assertThat(first.all("Vary")).containsExactly("Origin", "Accept");
        assertThat(replay.all("Vary")).containsExactly("Origin", "Accept");
    }

    @Test
    void is_not_seen_by_a_caller_that_the_authenticator_refuses() throws IOException {
        start(exchange -> exchange.sendResponseHeaders(200, -1));
        pay("k");

        Wire.Reply refused = payment("k").user("refused").send(server.port());
        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.replayed()).isFalse();
    }

    @Test
    void takes_streams_of_a_filter_inside() throws IOException {
        start(exchange -> {
            exchange.getResponseHeaders().set("Content-Encoding", "gzip");
            exchange.sendResponseHeaders(200, 0);
            exchange.setStreams(null, new GZIPOutputStream(exchange.getResponseBody()));
            try (OutputStream out = exchange.getResponseBody()) {
                out.write(exchange.getRequestBody().readAllBytes());
            }
        });
        Wire.Reply first = pay("k");
        assertThat(first.body()).startsWith(0x1f, 0x8b);
        assertThat(pay("k").essence()).isEqualTo(first.essence());
    }

    @Test
    void that_is_not_protected_may_throw_on_the_refusal_of_its_own_call() throws IOException {
        start(exchange -> {
            throw new StoreException("no connection");
        });
        Wire.Reply reply = new Wire.Request("POST", "/unprotected/x").json("{}").send(server.port());

        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.text()).contains("idempotency_store_unavailable");
    }

    @Test
    void of_the_status_resource_answers_head_and_nothing_else() throws IOException {
        server = JdkServer.start(SemelHttpHandler.status(gate(Failures.REPLAY)));

        Wire.Request head = new Wire.Request("HEAD", "/idempotency/status").key("k");
        assertThat(head.send(server.port()).first("Content-Length")).isPresent();
        assertThat(new Wire.Request("GET", "/elsewhere").send(server.port()).status())
                .isEqualTo(404);
        assertThat(pay("k").status()).isEqualTo(404);
    }

    @Test
    void cannot_be_in_a_transaction() throws IOException {
        start(exchange -> exchange.sendResponseHeaders(200, -1));
        Routes routes = Routes.builder()
                .protect(
                        "POST",
                        "/payments",
                        RoutePolicy.of(Operation.named("pay"))
                                .inTransaction(work -> {})
                                .build())
                .build();
        Gate gate = Gate.on(semel, routes, ScopeStrategy.fromPrincipal()).build();

        assertThatThrownBy(() -> new SemelHttpHandler(gate, exchange -> {}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("transaction");
    }
}

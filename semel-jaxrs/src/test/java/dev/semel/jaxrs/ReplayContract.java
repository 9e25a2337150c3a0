package dev.semel.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.http.StoreDown;
import dev.semel.testsupport.http.Wire;
import jakarta.ws.rs.core.GenericEntity;
import jakarta.ws.rs.core.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol on an implementation of Jakarta REST: claims, replays, refusals. */
interface ReplayContract extends OnServer {

    @Test
    default void a_retry_gets_the_first_response_byte_for_byte() {
        try (TestServer server = open()) {
            server.resource.work = body -> Response.status(201)
                    .header("Location", "/payments/7")
                    .header("X-Part", "one")
                    .header("X-Part", "two")
                    .header("Set-Cookie", "session=secret")
                    .type("application/json")
                    .entity("{\"id\":7,\"for\":" + body + "}")
                    .build();
            Wire.Reply first = server.pay("k");
            Wire.Reply second = server.pay("k");

            assertThat(first.status()).isEqualTo(201);
            assertThat(first.all("X-Part")).containsExactly("one", "two");
            assertThat(first.text()).isEqualTo("{\"id\":7,\"for\":{\"amount\":100}}");
            assertThat(first.all("Set-Cookie")).hasSize(1);
            assertThat(first.replayed()).isFalse();
            assertThat(second.replayed()).isTrue();
            assertThat(second.all("Set-Cookie")).isEmpty();
            assertThat(second.essence()).isEqualTo(withoutCookies(first).essence());
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    private static Wire.Reply withoutCookies(Wire.Reply reply) {
        List<String> kept = reply.headers().stream()
                .filter(line -> !line.toLowerCase(Locale.ROOT).startsWith("set-cookie"))
                .toList();
        return new Wire.Reply(reply.status(), kept, reply.body());
    }

    @Test
    default void a_generic_entity_is_replayed() {
        try (TestServer server = open()) {
            server.resource.work = body ->
                    Response.ok(new GenericEntity<>("typed") {}, "text/plain").build();
            Wire.Reply first = server.pay("k");

            assertThat(first.text()).isEqualTo("typed");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }

    @Test
    default void an_answer_without_content_is_replayed() {
        try (TestServer server = open()) {
            assertThat(server.pay("/nothing", "k").status()).isEqualTo(204);
            Wire.Reply second = server.pay("/nothing", "k");

            assertThat(second.status()).isEqualTo(204);
            assertThat(second.replayed()).isTrue();
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_required_key_that_is_missing_is_400() {
        try (TestServer server = open()) {
            assertProblem(server.send(server.post("/payments").json("{}")), 400, "idempotency_key_missing");
            assertThat(server.executions()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"unterminated", "\"\"", "has space", "k,k"})
    default void a_malformed_key_is_400(String key) {
        try (TestServer server = open()) {
            assertProblem(server.pay(key), 400, "idempotency_key_invalid");
            assertProblem(
                    server.send(server.post("/payments").key("a").key("a").json("{}")), 400, "idempotency_key_invalid");
            assertThat(server.executions()).isZero();
        }
    }

    @Test
    default void a_key_without_an_owner_is_400() {
        try (TestServer server = open()) {
            Wire.Request anonymous =
                    server.post("/payments").user("anonymous").key("k").json("{}");
            assertProblem(server.send(anonymous), 400, "idempotency_scope_missing");
            assertThat(server.executions()).isZero();
        }
    }

    @Test
    default void a_key_of_another_caller_is_another_key() {
        try (TestServer server = open()) {
            server.pay("k");
            Wire.Request other = server.post("/payments").user("bob").key("k").json("{\"amount\":100}");
            assertThat(server.send(other).replayed()).isFalse();
            assertThat(server.executions()).isEqualTo(2);
        }
    }

    @Test
    default void the_same_key_with_another_body_query_or_path_is_422() {
        try (TestServer server = open()) {
            server.pay("k");
            String code = "idempotency_key_reused_with_different_payload";

            assertProblem(server.send(server.post("/payments").key("k").json("{\"amount\":200}")), 422, code);
            assertProblem(server.pay("/payments?x=1", "k"), 422, code);
            assertProblem(server.pay("/nothing", "k"), 422, code);
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void i1_simultaneous_duplicates_execute_once() throws Exception {
        int duplicates = 16;
        try (TestServer server = open()) {
            AtomicInteger number = new AtomicInteger();
            server.resource.work =
                    body -> Response.ok("payment " + number.incrementAndGet()).build();
            ExecutorService pool = Executors.newFixedThreadPool(duplicates);
            CyclicBarrier start = new CyclicBarrier(duplicates);
            List<Future<Wire.Reply>> replies = new ArrayList<>();
            for (int i = 0; i < duplicates; i++) {
                replies.add(pool.submit(() -> {
                    start.await();
                    return server.pay("k");
                }));
            }
            for (Future<Wire.Reply> reply : replies) {
                assertThat(reply.get().status()).isIn(200, 409);
                assertThat(reply.get().text()).containsAnyOf("payment 1", "idempotency_key_in_progress");
            }
            pool.shutdownNow();
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_duplicate_of_a_running_request_is_409() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (TestServer server = open()) {
            server.resource.work = body -> {
                started.countDown();
                finish.await();
                return Response.ok("done").build();
            };
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.pay("k"));
            started.await();
            Wire.Reply second = server.pay("k");
            finish.countDown();

            assertProblem(second, 409, "idempotency_key_in_progress");
            assertThat(second.all("Retry-After")).hasSize(1);
            assertThat(first.join().text()).isEqualTo("done");
        }
    }

    @Test
    default void requests_that_match_no_method_do_not_use_up_their_key() {
        try (TestServer server = open()) {
            assertThat(server.pay("/absent", "k").status()).isEqualTo(404);
            assertThat(server.send(new Wire.Request("PUT", "/payments").key("k").json("{}"))
                            .status())
                    .isEqualTo(405);
            Wire.Request text = server.post("/payments").key("k").body("text/plain", new byte[] {'x'});
            assertThat(server.send(text).status()).isEqualTo(415);
            assertThat(server.state("k")).isNull();

            assertThat(server.pay("k").replayed()).isFalse();
            assertThat(server.executions()).isEqualTo(1);
        }
    }

    @Test
    default void a_body_that_no_provider_can_read_does_not_use_up_its_key() {
        try (TestServer server = open()) {
            assertThat(server.pay("/unreadable", "k").status()).isEqualTo(415);
            assertThat(server.status("k").status()).isEqualTo(404);
            assertThat(server.executions()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    default void a_body_that_is_too_long_is_413(boolean chunked) {
        try (TestServer server = open(Operation.named("pay"), policy -> policy.maxRequestBody(1000))) {
            Wire.Request request = server.post("/payments").key("k").json("\"" + "x".repeat(1000) + "\"");

            assertProblem(server.send(chunked ? request.chunked() : request), 413, "idempotency_body_too_large");
            assertThat(server.executions()).isZero();
        }
    }

    @Test
    default void form_parameters_reach_the_method() {
        try (TestServer server = open()) {
            Wire.Request form =
                    server.post("/form").key("k").body("application/x-www-form-urlencoded", "amount=7".getBytes());

            assertThat(server.send(form).text()).isEqualTo("amount 7");
            assertThat(server.send(form).replayed()).isTrue();
        }
    }

    @Test
    default void without_the_store_nothing_executes() {
        try (TestServer server = open()) {
            server.store.down();
            assertProblem(server.pay("k"), 503, "idempotency_store_unavailable");
            assertThat(server.executions()).isZero();

            server.store.up();
            assertThat(server.pay("k").status()).isEqualTo(200);
        }
    }

    @Test
    default void a_route_that_fails_open_says_that_it_was_not_protected() {
        try (TestServer server = open(Operation.named("pay"), policy -> policy.storeDown(StoreDown.FAIL_OPEN))) {
            server.store.down();
            Wire.Reply reply = server.pay("k");

            assertThat(reply.text()).isEqualTo("done");
            assertThat(reply.all("Idempotency-Protected")).containsExactly("false");
        }
    }

    @Test
    default void the_status_of_a_key_is_answered() {
        try (TestServer server = open()) {
            assertProblem(server.status("k"), 404, "idempotency_key_not_found");
            server.pay("k");
            Wire.Reply status = server.status("k");

            assertThat(status.text()).isEqualTo("done");
            assertThat(status.replayed()).isTrue();
        }
    }

    @Test
    default void server_sent_events_are_refused_before_anything_is_claimed() {
        try (TestServer server = open()) {
            assertThat(server.pay("/events", "k").status()).isEqualTo(500);
            assertThat(server.executions()).isZero();
            assertThat(server.state("k")).isNull();
        }
    }

    @Test
    default void safe_and_unprotected_requests_pass() {
        try (TestServer server = open()) {
            assertThat(server.send(new Wire.Request("GET", "/payments")).text()).isEqualTo("none");
            Wire.Reply options = server.send(new Wire.Request("OPTIONS", "/payments"));
            assertThat(options.status()).isEqualTo(200);
            assertThat(options.first("Allow").orElse("")).contains("POST", "GET");
            assertThat(server.pay("/unprotected/payments", "k").text()).isEqualTo("done");
            assertThat(server.pay("/unprotected/payments", "k").replayed()).isFalse();
            assertThat(server.executions()).isEqualTo(2);
        }
    }
}

package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Operation;
import dev.semel.http.InProgressAnswer;
import dev.semel.http.StoreDown;
import dev.semel.http.key.KeyRules;
import dev.semel.http.key.KeyStrategy;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.testsupport.http.Wire;
import dev.semel.testsupport.stores.FaultyStore;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every row of the table of answers, over a real socket. */
public interface AnswersContract extends MismatchContract {

    @Test
    default void a_required_key_that_is_missing_is_400_with_a_link_to_documentation() {
        ContractServer.Settings settings = settings()
                .route("*", "*", policy -> policy)
                .gate(gate -> gate.documentation(URI.create("https://example.org/keys")));
        try (ContractServer server = settings.start(call -> {})) {
            Wire.Reply reply = server.send(server.post("/payments").json("{}"));

            assertThat(reply.text()).contains("idempotency_key_missing");
            assertThat(reply.all("Link")).containsExactly("<https://example.org/keys>; rel=\"describedby\"");
            assertThat(server.executions).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"unterminated",
                "\"\"",
                "has space",
                "caf\u00e9",
                "\"tab\there\"",
                "\"a\", \"b\"",
                "k,k",
                "k, k",
                "\"k\",\"k\"",
                "\"k\";x=:=aGVsbG8=:"
            })
    default void a_malformed_key_is_400(String key) {
        try (ContractServer server = echo()) {
            assertProblem(server.pay(key), 400, "idempotency_key_invalid", false);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    default void a_key_that_is_too_long_or_repeated_is_400() {
        try (ContractServer server = echo()) {
            assertProblem(server.pay("k".repeat(256)), 400, "idempotency_key_invalid", false);
            assertThat(server.pay("k".repeat(255)).status()).isEqualTo(200);
            Wire.Request repeated = server.post("/payments").key("a").key("a").json("{}");
            assertProblem(server.send(repeated), 400, "idempotency_key_invalid", false);
        }
    }

    /** A UUID of version 7 of this time. */
    private static String keyOf(Instant time) {
        return new UUID(time.toEpochMilli() << 16 | 0x7000, 0x8000000000000001L).toString();
    }

    @Test
    default void a_late_retry_is_412_and_a_key_from_the_future_is_400() {
        try (ContractServer server = echo()) {
            Instant now = Instant.now();
            assertProblem(server.pay(keyOf(now.minus(Duration.ofDays(2)))), 412, "idempotency_key_expired", false);
            assertProblem(server.pay(keyOf(now.plus(Duration.ofDays(2)))), 400, "idempotency_key_invalid", false);
            assertThat(server.executions).hasValue(0);
            assertThat(server.pay(keyOf(now)).status()).isEqualTo(200);
            assertThat(server.pay(keyOf(now)).replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void lenient_syntax_takes_quoted_and_bare_text_as_one_key() {
        try (ContractServer server = echo()) {
            server.pay("abc");

            assertThat(server.pay("\"abc\"").replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void strict_syntax_takes_quoted_text_only() {
        try (ContractServer server = protecting(policy -> policy.strictKeys(), call -> {})) {
            assertProblem(server.pay("abc"), 400, "idempotency_key_invalid", false);
            assertThat(server.pay("\"abc\"").status()).isEqualTo(200);
            assertThat(server.pay("\"abc\"").replayed()).isTrue();
        }
    }

    @Test
    default void rules_for_keys_are_checked() {
        try (ContractServer server = protecting(policy -> policy.keyRules(KeyRules.NONE.requireUuid()), call -> {})) {
            assertProblem(server.pay("abc"), 400, "idempotency_key_invalid", false);
            assertThat(server.pay("8e03978e-40d5-43dd-bc93-6894a57f9324").status())
                    .isEqualTo(200);
        }
    }

    @Test
    default void without_an_optional_key_nothing_is_protected() {
        try (ContractServer server = protecting(policy -> policy.keyOptional(), call -> {
            call.print(new String(call.body()));
        })) {
            Wire.Request bare = server.post("/payments").json("{\"amount\":1}");

            assertThat(server.send(bare).text()).isEqualTo("{\"amount\":1}");
            assertThat(server.send(bare).replayed()).isFalse();
            assertThat(server.executions).hasValue(2);
            server.pay("k");
            assertThat(server.pay("k").replayed()).isTrue();
        }
    }

    @Test
    default void a_key_can_be_derived_from_content_or_found_in_the_body() {
        ContractServer.Settings settings = settings()
                .route("POST", "/by-content", Operation.named("by-content"), policy -> policy.keyFromContent())
                .route(
                        "POST",
                        "/by-field",
                        Operation.named("by-field"),
                        policy -> policy.keyDerived(KeyStrategy.fromField("id")));
        try (ContractServer server = settings.start(call -> {})) {
            server.send(server.post("/by-content").json("{\"a\":1,\"b\":2}"));
            assertThat(server.send(server.post("/by-content").json("{\"b\":2,\"a\":1}"))
                            .replayed())
                    .isTrue();
            server.send(server.post("/by-field").json("{\"id\":\"x\"}"));
            assertThat(server.send(server.post("/by-field").json("{\"id\":\"x\"}"))
                            .replayed())
                    .isTrue();
            assertProblem(server.send(server.post("/by-field").json("{}")), 400, "idempotency_key_missing", false);
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    default void i7_the_same_key_for_another_request_is_refused_and_reveals_nothing() {
        try (ContractServer server = protecting(call -> {
            call.header("X-Secret", "secret-header");
            call.print("secret-body");
        })) {
            server.pay("k");
            List<Wire.Request> others = List.of(
                    server.post("/payments").key("k").json("{\"amount\":101}"),
                    server.post("/payments?x=1").key("k").json("{\"amount\":100}"),
                    server.post("/payments/1").key("k").json("{\"amount\":100}"),
                    new Wire.Request("PUT", "/payments").key("k").json("{\"amount\":100}"),
                    server.post("/payments").key("k").body("text/plain", "{\"amount\":100}".getBytes()));
            for (Wire.Request other : others) {
                Wire.Reply reply = server.send(other);
                assertProblem(reply, 422, "idempotency_key_reused_with_different_payload", false);
                assertThat(reply.essence()).doesNotContain("secret");
            }
            assertThat(server.pay("k").replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void the_status_for_a_reused_key_is_configurable_and_so_are_headers_that_count() {
        try (ContractServer server =
                protecting(policy -> policy.mismatchStatus(409).fingerprintHeaders("X-Currency"), call -> {})) {
            server.send(server.post("/payments")
                    .key("k")
                    .header("X-Currency", "EUR")
                    .json("{}"));
            Wire.Reply other = server.send(server.post("/payments")
                    .key("k")
                    .header("X-Currency", "USD")
                    .json("{}"));

            assertProblem(other, 409, "idempotency_key_reused_with_different_payload", false);
        }
    }

    @Test
    default void spellings_of_one_request_are_one_request() {
        try (ContractServer server = echo()) {
            server.send(server.post("/p?a=1&b=%7E").key("k").json("{\"x\":1.0,\"y\":[true]}"));
            Wire.Reply retry = server.send(server.post("/p?b=~&a=1")
                    .key("k")
                    .body("application/json; charset=utf-8", "{ \"y\": [true], \"x\": 1 }".getBytes()));

            assertThat(retry.replayed()).isTrue();
        }
    }

    @Test
    default void with_semantic_fields_only_those_count() {
        try (ContractServer server = protecting(policy -> policy.semanticFields("/amount"), call -> {})) {
            server.send(server.post("/p").key("k").json("{\"amount\":1,\"sentAt\":\"10:00\"}"));

            assertThat(server.send(server.post("/p").key("k").json("{\"amount\":1,\"sentAt\":\"10:01\"}"))
                            .replayed())
                    .isTrue();
            assertThat(server.send(server.post("/p").key("k").json("{\"amount\":2}"))
                            .status())
                    .isEqualTo(422);
        }
    }

    @Test
    default void i8_while_a_request_runs_its_duplicate_is_409_and_another_request_with_its_key_422() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ContractServer server = protecting(call -> {
            started.countDown();
            finish.await();
            call.status(201);
        })) {
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.pay("k"));
            started.await();

            Wire.Reply duplicate = server.pay("k");
            assertProblem(duplicate, 409, "idempotency_key_in_progress", true);
            assertThat(duplicate.all("Retry-After")).containsExactly("1");
            assertThat(server.send(server.post("/payments").key("k").json("{\"amount\":7}"))
                            .status())
                    .isEqualTo(422);
            finish.countDown();
            assertThat(first.get().status()).isEqualTo(201);
            assertThat(server.pay("k").replayed()).isTrue();
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void while_a_request_runs_its_duplicate_can_be_sent_to_the_status_resource() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        ContractServer.Settings settings = settings()
                .scopes(ScopeStrategy.combine(ScopeStrategy.fromPrincipal(), ScopeStrategy.fromRoute()))
                .route("*", "*", policy -> policy.inProgress(InProgressAnswer.ACCEPTED));
        try (ContractServer server = settings.start(call -> {
            started.countDown();
            finish.await();
            call.status(201);
        })) {
            Wire.Request request = server.post("/payments").key("k").json("{}");
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.send(request));
            started.await();

            Wire.Reply duplicate = server.send(request);
            assertThat(duplicate.status()).isEqualTo(202);
            assertThat(duplicate.all("Retry-After")).containsExactly("1");
            assertThat(duplicate.text()).contains("\"state\":\"in_progress\"");
            String location = duplicate.first("Location").orElseThrow();
            assertThat(location).isEqualTo("/idempotency/status?operation=create-payment");
            assertThat(server.send(new Wire.Request("GET", location).key("k")).status())
                    .isEqualTo(202);
            finish.countDown();
            first.get();
            Wire.Reply after = server.send(new Wire.Request("GET", location).key("k"));
            assertThat(after.status()).isEqualTo(201);
            assertThat(after.replayed()).isTrue();
        }
    }

    @Test
    default void i12_without_its_store_nothing_is_executed() {
        try (ContractServer server = echo()) {
            server.store.down();
            Wire.Reply refused = server.pay("k");
            assertProblem(refused, 503, "idempotency_store_unavailable", true);
            assertThat(refused.all("Retry-After")).containsExactly("1");
            assertProblem(server.status("k"), 503, "idempotency_store_unavailable", true);
            assertThat(server.executions).hasValue(0);

            server.store.up();
            assertThat(server.pay("k").text()).isEqualTo("done");
        }
    }

    @Test
    default void a_route_that_fails_open_executes_without_its_store_and_says_so() {
        try (ContractServer server = protecting(policy -> policy.storeDown(StoreDown.FAIL_OPEN), call -> {
            call.print(new String(call.body()) + call.attempt().isPresent());
        })) {
            server.store.down();
            Wire.Reply reply = server.pay("k");

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.text()).isEqualTo("{\"amount\":100}false");
            assertThat(reply.all("Idempotency-Protected")).containsExactly("false");
            server.store.up();
            Wire.Reply after = server.pay("k");
            assertThat(after.text()).isEqualTo("{\"amount\":100}true");
            assertThat(after.all("Idempotency-Protected")).isEmpty();
        }
    }

    @Test
    default void a_completion_that_the_store_does_not_confirm_is_answered_as_unknown_and_replayed_when_it_arrived() {
        try (ContractServer server = echo()) {
            for (int i = 0; i < 3; i++) {
                server.store.failNext(FaultyStore.Verb.SETTLE, FaultyStore.Fault.REFUSED);
            }
            Wire.Reply first = server.pay("k");

            assertProblem(first, 409, "idempotency_outcome_unknown", true);
            assertThat(first.all("Retry-After")).containsExactly("5");
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> server.pay("k").replayed());
            assertThat(server.pay("k").text()).isEqualTo("done");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void i9_equal_keys_of_two_tenants_never_meet() {
        try (ContractServer server = protecting(call -> call.print(call.user()))) {
            Wire.Reply alice =
                    server.send(server.post("/p").user("alice").key("k").json("{}"));
            Wire.Reply bob = server.send(server.post("/p").user("bob").key("k").json("{\"other\":1}"));

            assertThat(alice.text()).isEqualTo("alice");
            assertThat(bob.text()).isEqualTo("bob");
            assertThat(bob.replayed()).isFalse();
            assertThat(server.send(new Wire.Request("GET", "/idempotency/status")
                                    .user("carol")
                                    .key("k"))
                            .status())
                    .isEqualTo(404);
        }
    }

    @Test
    default void a_key_of_an_anonymous_caller_is_refused() {
        try (ContractServer server = echo()) {
            Wire.Reply reply =
                    server.send(server.post("/p").user("anonymous").key("k").json("{}"));

            assertProblem(reply, 400, "idempotency_scope_missing", false);
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    default void a_tenant_header_that_is_repeated_is_refused() {
        ContractServer.Settings settings =
                settings().route("*", "*", policy -> policy).scopes(ScopeStrategy.fromHeader("X-Tenant"));
        try (ContractServer server = settings.start(call -> {})) {
            Wire.Request twice = server.post("/p").header("X-Tenant", "a").header("X-Tenant", "b");

            assertProblem(server.send(twice.key("k").json("{}")), 400, "idempotency_scope_invalid", false);
        }
    }

    @Test
    default void a_request_body_that_is_too_long_is_413_before_anything_is_claimed() {
        try (ContractServer server = protecting(policy -> policy.maxRequestBody(10), call -> {})) {
            Wire.Request declared = server.post("/p").key("k").body("text/plain", new byte[11]);
            Wire.Request chunked =
                    server.post("/p").key("k").body("text/plain", new byte[11]).chunked();

            assertProblem(server.send(declared), 413, "idempotency_body_too_large", false);
            assertProblem(server.send(chunked), 413, "idempotency_body_too_large", false);
            assertThat(server.status("k").status()).isEqualTo(404);
            assertThat(server.send(server.post("/p").key("k").body("text/plain", new byte[10]))
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    default void json_that_is_nested_too_deep_is_400() {
        try (ContractServer server = echo()) {
            Wire.Reply reply = server.send(server.post("/p").key("k").json("[".repeat(200) + "]".repeat(200)));

            assertProblem(reply, 400, "idempotency_body_unprocessable", false);
            assertThat(server.executions).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "QUERY"})
    default void safe_methods_pass_untouched(String method) {
        try (ContractServer server = echo()) {
            server.send(new Wire.Request(method, "/payments").key("k"));
            Wire.Reply second = server.send(new Wire.Request(method, "/payments").key("k"));

            assertThat(second.replayed()).isFalse();
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    default void routes_that_match_nothing_are_not_protected() {
        ContractServer.Settings settings = settings().route("POST", "/payments/**", policy -> policy);
        try (ContractServer server = settings.start(call -> {})) {
            assertThat(server.send(server.post("/refunds").json("{}")).status()).isEqualTo(200);
            assertThat(server.send(server.post("/payments").json("{}")).status())
                    .isEqualTo(400);
            assertThat(server.send(server.post("/payments/1/lines").json("{}")).status())
                    .isEqualTo(400);
            assertThat(server.send(server.post("/pay%6Dents;v=1").json("{}")).status())
                    .isEqualTo(400);
        }
    }
}

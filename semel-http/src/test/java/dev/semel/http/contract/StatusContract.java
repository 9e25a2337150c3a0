package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Response;
import dev.semel.http.Body;
import dev.semel.http.Headers;
import dev.semel.http.RecordedResponse;
import dev.semel.http.key.KeyStrategy;
import dev.semel.http.key.ScopeStrategy;
import dev.semel.reconcile.Verdict;
import dev.semel.testsupport.http.Wire;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The status resource, which never executes anything. */
public interface StatusContract extends OnTransport {

    private static Wire.Request get() {
        return new Wire.Request("GET", "/idempotency/status");
    }

    @Test
    default void it_follows_a_request_from_absent_over_running_to_its_response() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (ContractServer server = protecting(call -> {
            started.countDown();
            finish.await();
            call.status(201);
            call.header("Cache-Control", "max-age=60");
            call.print("created");
        })) {
            Wire.Reply absent = server.status("k");
            assertThat(absent.status()).isEqualTo(404);
            assertThat(absent.text()).contains("idempotency_key_not_found", "\"retryable\":true");

            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.pay("k"));
            started.await();
            Wire.Reply running = server.status("k");
            assertThat(running.status()).isEqualTo(202);
            assertThat(running.all("Retry-After")).containsExactly("1");
            assertThat(running.all("Cache-Control")).containsExactly("no-store");
            assertThat(running.text())
                    .startsWith("{\"state\":\"in_progress\",\"code\":\"idempotency_key_in_progress\","
                            + "\"retryable\":true,\"safe_new_key\":false,\"next\":{");

            finish.countDown();
            first.get();
            Wire.Reply done = server.status("k");
            assertThat(done.status()).isEqualTo(201);
            assertThat(done.text()).isEqualTo("created");
            assertThat(done.replayed()).isTrue();
            assertThat(done.all("Cache-Control")).containsExactly("no-store");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void an_unknown_outcome_is_202_until_evidence_settles_it() {
        try (ContractServer server = protecting(call -> {
            throw new OutcomeUnknownException("timeout");
        })) {
            server.pay("k");
            Wire.Reply unknown = server.status("k");
            assertThat(unknown.status()).isEqualTo(202);
            assertThat(unknown.all("Retry-After")).containsExactly("5");
            assertThat(unknown.text()).contains("\"state\":\"unknown\"", "idempotency_outcome_unknown");

            RecordedResponse found = RecordedResponse.of(201, Headers.of("X-Id", "7"), Body.ofText("paid"));
            server.semel.settle(
                    Operation.named("create-payment"),
                    server.identity("k"),
                    new Verdict.Happened(found.toResponse(), "statement 7"),
                    "bank");
            assertThat(server.status("k").text()).isEqualTo("paid");
            assertThat(server.pay("k").all("X-Id")).containsExactly("7");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void a_record_without_a_readable_response_is_done_but_not_retained() {
        try (ContractServer server = protecting(call -> {
            throw new OutcomeUnknownException("timeout");
        })) {
            server.pay("k");
            server.semel.settle(
                    Operation.named("create-payment"),
                    server.identity("k"),
                    new Verdict.Happened(Response.of(new byte[0]), "seen in the ledger"),
                    "operator");

            assertThat(server.status("k").text()).contains("idempotency_response_not_retained");
            assertThat(server.pay("k").status()).isEqualTo(409);
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void a_request_that_was_not_executed_is_not_found_since_a_retry_will_execute() {
        try (ContractServer server = protecting(call -> {
            throw new NotExecutedException("no");
        })) {
            server.pay("k");

            assertThat(server.status("k").status()).isEqualTo(404);
        }
    }

    @Test
    default void it_asks_for_one_valid_key() {
        try (ContractServer server = protecting(call -> {})) {
            assertThat(server.send(get()).text()).contains("idempotency_key_missing");
            assertThat(server.send(get().key("a").key("b")).text()).contains("idempotency_key_invalid");
            assertThat(server.send(get().key("\"open")).text()).contains("idempotency_key_invalid");
            assertThat(server.send(get().user("anonymous").key("k")).text()).contains("idempotency_scope_missing");
            assertThat(server.executions).hasValue(0);
        }
    }

    @Test
    default void its_path_and_header_are_configurable_and_other_methods_pass_through() {
        ContractServer.Settings settings = settings()
                .gate(gate -> gate.statusPath("/keys").keyHeader("X-Key").strictKeys())
                .route("POST", "/p", policy -> policy);
        try (ContractServer server = settings.start(call -> call.status(204))) {
            assertThat(server.send(server.post("/p").header("X-Key", "bare").json("{}"))
                            .status())
                    .isEqualTo(400);
            server.send(server.post("/p").header("X-Key", "\"k\"").json("{}"));

            assertThat(server.send(new Wire.Request("GET", "/keys").header("X-Key", "\"k\""))
                            .replayed())
                    .isTrue();
            assertThat(server.send(new Wire.Request("GET", "/keys").header("X-Key", "k"))
                            .status())
                    .isEqualTo(400);
            assertThat(server.send(server.post("/keys")).status()).isEqualTo(204);
            assertThat(server.send(get()).status()).isEqualTo(204);
        }
    }

    @Test
    default void where_the_route_belongs_to_the_scope_the_operation_is_named() {
        ContractServer.Settings settings = settings()
                .scopes(ScopeStrategy.combine(ScopeStrategy.fromPrincipal(), ScopeStrategy.fromRoute()))
                .route("POST", "/a", Operation.named("a"), policy -> policy)
                .route("POST", "/b", Operation.named("b"), policy -> policy);
        try (ContractServer server = settings.start(call -> {})) {
            server.send(server.post("/a").key("k").json("{}"));

            assertThat(server.send(new Wire.Request("GET", "/idempotency/status?operation=a").key("k"))
                            .status())
                    .isEqualTo(200);
            assertThat(server.send(new Wire.Request("GET", "/idempotency/status?x&operation=b").key("k"))
                            .status())
                    .isEqualTo(404);
            assertThat(server.send(get().key("k")).text()).contains("idempotency_scope_missing");
            assertThat(server.send(server.post("/b").key("k").json("{}")).replayed())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"operation=nope", "operation=", "operation", "operation=a&operation=b", "%6Fperation=nope"})
    default void an_operation_that_does_not_exist_is_refused(String query) {
        ContractServer.Settings settings = settings()
                .route("POST", "/a", Operation.named("a"), policy -> policy)
                .route("POST", "/b", Operation.named("b"), policy -> policy);
        try (ContractServer server = settings.start(call -> call.status(201))) {
            server.send(server.post("/a").key("k").json("{}"));

            Wire.Reply refused = server.send(new Wire.Request("GET", "/idempotency/status?" + query).key("k"));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text()).contains("idempotency_operation_unknown", "\"retryable\":false");
            assertThat(refused.replayed()).isFalse();
            assertThat(server.send(new Wire.Request("GET", "/idempotency/status?operation=a").key("k"))
                            .status())
                    .isEqualTo(201);
        }
    }

    @Test
    default void a_key_that_is_a_field_of_the_body_can_be_asked_for_in_the_header() {
        ContractServer.Settings settings = settings()
                .scopes(ScopeStrategy.combine(ScopeStrategy.fromPrincipal(), ScopeStrategy.fromRoute()))
                .route(
                        "POST",
                        "/orders",
                        Operation.named("place-order"),
                        policy -> policy.keyDerived(KeyStrategy.fromField("/order/id")))
                .route("POST", "/content", Operation.named("by-content"), policy -> policy.keyFromContent());
        try (ContractServer server = settings.start(call -> call.status(201))) {
            server.send(server.post("/orders").json("{\"order\":{\"id\":\"o-1\"}}"));
            server.send(server.post("/content").json("{}"));

            Wire.Request known = new Wire.Request("GET", "/idempotency/status?operation=place-order").key("o-1");
            assertThat(server.send(known).status()).isEqualTo(201);
            assertThat(server.send(known).replayed()).isTrue();
            Wire.Request other = new Wire.Request("GET", "/idempotency/status?operation=place-order").key("o-2");
            assertThat(server.send(other).status()).isEqualTo(404);
            Wire.Request derived = new Wire.Request("GET", "/idempotency/status?operation=by-content");
            assertThat(server.send(derived).text()).contains("idempotency_key_missing");
            assertThat(server.executions).hasValue(2);
        }
    }
}

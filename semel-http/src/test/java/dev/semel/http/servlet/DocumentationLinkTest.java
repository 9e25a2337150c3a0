package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.testsupport.http.Wire;
import java.net.URI;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Every problem of the protocol links to the service's page about keys; answers of handlers do not. */
class DocumentationLinkTest {

    private static final String LINK = "<https://example.org/keys>; rel=\"describedby\"";

    private static TestServer.Settings settings() {
        return TestServer.settings()
                .route("*", "*", policy -> policy.maxRequestBody(1000).maxRecordedResponse(10))
                .gate(gate -> gate.documentation(URI.create("https://example.org/keys")));
    }

    private static void assertLinked(Wire.Reply reply, int status, String code) {
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.text()).contains("\"code\":\"" + code + "\"");
        assertThat(reply.all("Link")).containsExactly(LINK);
    }

    @Test
    void refusals_before_the_handler_carry_it() {
        try (TestServer server = settings()
                .start((request, response) -> response.getWriter()
                        .print(request.getHeader("X-Long") == null ? "short" : "far too long to be kept"))) {
            server.pay("k");
            server.send(
                    server.post("/payments").key("long").header("X-Long", "1").json("{}"));

            assertLinked(server.send(server.post("/p").json("{}")), 400, "idempotency_key_missing");
            assertLinked(server.pay("\"open"), 400, "idempotency_key_invalid");
            assertLinked(
                    server.send(server.post("/payments").key("k").json("{}")),
                    422,
                    "idempotency_key_reused_with_different_payload");
            assertLinked(
                    server.send(server.post("/payments")
                            .key("long")
                            .header("X-Long", "1")
                            .json("{}")),
                    409,
                    "idempotency_response_not_retained");
            assertLinked(
                    server.send(server.post("/p").key("k2").json("\"" + "x".repeat(1000) + "\"")),
                    413,
                    "idempotency_body_too_large");
            assertLinked(
                    server.send(server.post("/p").key("k3").json("[".repeat(200))),
                    400,
                    "idempotency_body_unprocessable");
            assertLinked(
                    server.send(server.post("/p").key("k").user("anonymous").json("{}")),
                    400,
                    "idempotency_scope_missing");
            assertLinked(server.status("other"), 404, "idempotency_key_not_found");
            assertLinked(
                    server.send(new Wire.Request("GET", "/idempotency/status?operation=nope").key("k")),
                    400,
                    "idempotency_operation_unknown");
            server.store.down();
            assertLinked(server.pay("k4"), 503, "idempotency_store_unavailable");
        }
    }

    @Test
    void a_request_in_progress_carries_it() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        try (TestServer server = settings().start((request, response) -> {
            started.countDown();
            finish.await();
        })) {
            CompletableFuture<Wire.Reply> first = CompletableFuture.supplyAsync(() -> server.pay("k"));
            started.await();
            assertLinked(server.pay("k"), 409, "idempotency_key_in_progress");
            finish.countDown();
            assertThat(first.get().all("Link")).isEmpty();
        }
    }

    @Test
    void the_problem_for_an_exception_carries_it() {
        try (TestServer server = settings().start((request, response) -> {
            if (request.getRequestURI().equals("/unknown")) {
                throw new OutcomeUnknownException("timeout");
            }
            throw new NotExecutedException("full");
        })) {
            Wire.Request unknown = server.post("/unknown").key("u").json("{}");
            assertLinked(server.send(unknown), 409, "idempotency_outcome_unknown");
            assertLinked(server.send(unknown), 409, "idempotency_outcome_unknown");
            assertLinked(server.pay("n"), 503, "idempotency_not_executed");
        }
    }

    @Test
    void an_answer_of_the_handler_keeps_its_own_links() {
        try (TestServer server = settings().start((request, response) -> {
            response.setHeader("Link", "<https://example.org/errors>; rel=\"help\"");
            response.sendError(409, "taken");
        })) {
            assertThat(server.pay("k").all("Link")).containsExactly("<https://example.org/errors>; rel=\"help\"");
            assertThat(server.pay("k").all("Link")).containsExactly("<https://example.org/errors>; rel=\"help\"");
        }
    }
}

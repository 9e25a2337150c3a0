package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Execution;
import dev.semel.Failures;
import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.Refusal;
import dev.semel.RefusedException;
import dev.semel.State;
import dev.semel.StoreException;
import dev.semel.testsupport.http.Wire;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Handlers that call the engine themselves, and throw its refusal on. */
class RefusedCallTest {

    private static final RefusedException IN_PROGRESS =
            refused(new Execution.Refused<>(new Refusal.InProgress(Duration.ofSeconds(3))));
    private static final RefusedException MISMATCH = refused(new Execution.Refused<>(new Refusal.Mismatch()));
    private static final RefusedException UNKNOWN = refused(new Execution.Refused<>(new Refusal.OutcomeUnknown(7)));
    private static final RefusedException LEASE_LOST = refused(new Execution.LeaseLost<>("done"));
    private static final StoreException NOT_ON_RECORD = new StoreException(
            "the outcome is unknown, and this is not on record yet", new OutcomeUnknownException("timeout"));
    private static final StoreException STORE_DOWN = new StoreException("password=hunter2");

    private static RefusedException refused(Execution<String> execution) {
        try {
            execution.orThrow();
        } catch (RefusedException e) {
            return e;
        }
        throw new AssertionError("not refused");
    }

    private static TestServer server(Failures failures, Exception thrown) {
        return TestServer.settings()
                .route("POST", "/payments", Operation.named("create-payment").failures(failures), policy -> policy)
                .start((request, response) -> {
                    response.getWriter().print("half a resp");
                    throw thrown;
                });
    }

    private static Wire.Reply unprotected(Exception thrown) {
        try (TestServer server = server(Failures.REPLAY, thrown)) {
            return server.send(server.post("/elsewhere").json("{}"));
        }
    }

    private static void assertProblem(Wire.Reply reply, int status, String code, boolean retryable) {
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.all("Content-Type")).containsExactly("application/problem+json");
        assertThat(reply.all("Cache-Control")).containsExactly("no-store");
        assertThat(reply.text())
                .startsWith("{\"type\":\"urn:semel:problem:" + code + "\"")
                .contains("\"code\":\"" + code + "\"", "\"retryable\":" + retryable)
                .doesNotContain("half", "hunter2");
    }

    @Test
    void are_answered_as_the_filter_answers_a_refusal() {
        Wire.Reply inProgress = unprotected(IN_PROGRESS);
        assertProblem(inProgress, 409, "idempotency_key_in_progress", true);
        assertThat(inProgress.all("Retry-After")).containsExactly("3");

        assertProblem(unprotected(MISMATCH), 422, "idempotency_key_reused_with_different_payload", false);

        Wire.Reply unknown = unprotected(UNKNOWN);
        assertProblem(unknown, 409, "idempotency_outcome_unknown", true);
        assertThat(unknown.all("Retry-After")).containsExactly("5");
        assertProblem(unprotected(LEASE_LOST), 409, "idempotency_outcome_unknown", true);
        assertProblem(unprotected(NOT_ON_RECORD), 409, "idempotency_outcome_unknown", true);

        Wire.Reply storeDown = unprotected(STORE_DOWN);
        assertProblem(storeDown, 503, "idempotency_store_unavailable", true);
        assertThat(storeDown.all("Retry-After")).containsExactly("1");
    }

    @Test
    void are_found_within_wrappers_of_frameworks_and_no_further() {
        assertProblem(
                unprotected(new ServletException(new CompletionException(IN_PROGRESS))),
                409,
                "idempotency_key_in_progress",
                true);
        assertThat(unprotected(new IllegalStateException(IN_PROGRESS)).status()).isEqualTo(500);
    }

    @Test
    void are_answered_when_the_refusal_is_thrown_in_a_later_dispatch() {
        try (TestServer server = TestServer.settings().start((request, response) -> {
            if (request.getDispatcherType() == DispatcherType.ASYNC) {
                throw IN_PROGRESS;
            }
            request.startAsync().dispatch();
        })) {
            assertProblem(server.send(server.post("/elsewhere").json("{}")), 409, "idempotency_key_in_progress", true);
        }
    }

    @Test
    void keep_what_has_been_sent() throws IOException {
        try (TestServer server = TestServer.settings().start((request, response) -> {
            response.getWriter().print("half a resp");
            response.flushBuffer();
            throw IN_PROGRESS;
        })) {
            // Tomcat closes the connection then, so that only the beginning can be read.
            try (Socket socket = server.post("/elsewhere").json("{}").open(server.port())) {
                byte[] begin = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
                assertThat(begin).asString(StandardCharsets.US_ASCII).isEqualTo("HTTP/1.1 200");
            }
        }
    }

    @Test
    void use_up_the_key_of_their_own_request_where_failures_are_final_and_say_so() {
        try (TestServer server = server(Failures.REPLAY, IN_PROGRESS)) {
            Wire.Reply first = server.pay("k");
            Wire.Reply second = server.pay("k");

            assertProblem(first, 409, "idempotency_key_in_progress", false);
            assertThat(first.all("Retry-After")).isEmpty();
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void release_the_key_of_their_own_request_where_failures_have_no_effect() {
        for (Exception thrown : new Exception[] {IN_PROGRESS, STORE_DOWN}) {
            try (TestServer server = server(Failures.RETRY, thrown)) {
                Wire.Reply first = server.pay("k");

                assertThat(first.text()).contains("\"retryable\":true");
                assertThat(first.all("Retry-After")).hasSize(1);
                assertThat(server.semel
                                .find(Identity.of("alice", "k"))
                                .orElseThrow()
                                .state())
                        .isEqualTo(State.FAILED_RETRYABLE);
                assertThat(server.pay("k").replayed()).isFalse();
                assertThat(server.executions).hasValue(2);
            }
        }
    }

    @Test
    void leave_their_own_request_unknown_when_the_call_may_have_had_its_effect() {
        for (Failures failures : Failures.values()) {
            for (Exception thrown : new Exception[] {UNKNOWN, LEASE_LOST, NOT_ON_RECORD}) {
                try (TestServer server = server(failures, thrown)) {
                    assertProblem(server.pay("k"), 409, "idempotency_outcome_unknown", true);
                    assertThat(server.semel
                                    .find(Identity.of("alice", "k"))
                                    .orElseThrow()
                                    .state())
                            .isEqualTo(State.UNKNOWN);
                    server.pay("k");
                    assertThat(server.executions).hasValue(1);
                }
            }
        }
    }

    @Test
    void leave_their_own_request_unknown_also_when_the_application_answers_the_refusal() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            request.setAttribute("org.springframework.web.servlet.DispatcherServlet.EXCEPTION", UNKNOWN);
            response.setStatus(418);
            response.getWriter().print("own");
        })) {
            assertThat(server.pay("k").status()).isEqualTo(418);
            assertThat(server.semel
                            .find(Identity.of("alice", "k"))
                            .orElseThrow()
                            .state())
                    .isEqualTo(State.UNKNOWN);
        }
    }
}

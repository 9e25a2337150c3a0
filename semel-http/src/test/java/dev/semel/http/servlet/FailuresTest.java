package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.testsupport.http.Wire;
import jakarta.servlet.ServletException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What failures of a handler mean: recorded, released, or unknown. */
class FailuresTest {

    private static TestServer server(Failures failures, TestServer.Handler handler) {
        return TestServer.settings()
                .route("*", "*", Operation.named("create-payment").failures(failures), policy -> policy)
                .start(handler);
    }

    @Test
    void sendError_is_recorded_as_a_problem_of_its_status() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.getWriter().print("gone");
            response.setHeader("X-Kept", "yes");
            response.sendError(404, "no such account");
            assertThat(response.isCommitted()).isTrue();
            response.setHeader("X-Late", "ignored");
            response.getWriter().print("ignored");
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(404);
            assertThat(first.text()).contains("\"status\":404", "\"detail\":\"no such account\"");
            assertThat(first.all("X-Kept")).containsExactly("yes");
            assertThat(first.essence()).doesNotContain("ignored", "gone");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
    }

    @Test
    void sendError_that_is_not_recorded_is_left_to_the_container() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setHeader("WWW-Authenticate", "Bearer");
            response.sendError(401);
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(401);
            assertThat(first.all("WWW-Authenticate")).containsExactly("Bearer");
            assertThat(first.text()).doesNotContain("urn:semel");
            server.pay("k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void an_operations_rule_judges_the_exception_itself_not_its_wrapper() {
        Operation operation = Operation.named("create-payment")
                .failureRule(failure ->
                        failure instanceof java.net.ConnectException ? Optional.of(Failures.RETRY) : Optional.empty());
        TestServer.Settings settings = TestServer.settings().route("*", "*", operation, policy -> policy);
        try (TestServer server = settings.start((request, response) -> {
            throw new ServletException(new java.net.ConnectException("refused"));
        })) {
            server.pay("k");
            server.pay("k");

            assertThat(server.executions).hasValue(2);
        }
    }

    private static final String HANDLED = "org.springframework.web.servlet.DispatcherServlet.EXCEPTION";

    @Test
    void an_empty_200_as_a_frameworks_answer_to_an_exception_is_not_recorded_as_the_answer() {
        try (TestServer server = server(Failures.REPLAY, (request, response) -> {
            request.setAttribute(HANDLED, new java.io.EOFException("the provider hung up"));
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(500);
            assertThat(first.text()).contains("request_failed");
            assertThat(server.pay("k").essence()).isEqualTo(first.essence());
        }
        try (TestServer server = server(Failures.RECONCILE, (request, response) -> {
            request.setAttribute(HANDLED, new java.io.EOFException("the provider hung up"));
        })) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        }
        try (TestServer server = server(Failures.REPLAY, (request, response) -> {
            request.setAttribute(HANDLED, new OutcomeUnknownException("hung up", new java.io.EOFException()));
        })) {
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(server.status("k").text()).contains("\"state\":\"unknown\"");
        }
    }

    @Test
    void an_exception_of_ours_means_what_it_says_even_if_a_framework_answered_it() {
        try (TestServer server = server(Failures.REPLAY, (request, response) -> {
            request.setAttribute(HANDLED, new IllegalStateException(new NotExecutedException("full")));
            response.setStatus(503);
            response.getWriter().print("come back later");
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(503);
            assertThat(first.text()).isEqualTo("come back later");
            assertThat(server.pay("k").replayed()).isFalse();
            assertThat(server.executions).hasValue(2);
        }
        try (TestServer server = server(Failures.REPLAY, (request, response) -> {
            request.setAttribute(HANDLED, new IllegalStateException("mapped"));
            response.setStatus(409);
            response.getWriter().print("a mapped exception");
        })) {
            server.pay("k");
            Wire.Reply second = server.pay("k");

            assertThat(second.replayed()).isTrue();
            assertThat(second.text()).isEqualTo("a mapped exception");
        }
    }
}

package dev.semel.http.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.Operation;
import dev.semel.OutcomeUnknownException;
import dev.semel.testsupport.http.Wire;
import jakarta.servlet.ServletException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What failures of a handler mean: recorded, released, or unknown. */
class FailuresTest {

    private static TestServer server(Failures failures, TestServer.Handler handler) {
        return TestServer.settings()
                .route("*", "*", Operation.named("create-payment").failures(failures), policy -> policy)
                .start(handler);
    }

    @Test
    void a_replayed_exception_is_a_500_problem_without_internals_and_always_the_same() {
        try (TestServer server = server(Failures.REPLAY, (request, response) -> {
            response.setHeader("X-Partial", "1");
            response.getWriter().print("half a resp");
            throw new IllegalStateException("password=hunter2");
        })) {
            Wire.Reply first = server.pay("k");
            Wire.Reply second = server.pay("k");

            assertThat(first.status()).isEqualTo(500);
            assertThat(first.all("Content-Type")).containsExactly("application/problem+json");
            assertThat(first.text()).contains("\"code\":\"request_failed\"", "\"retryable\":false");
            assertThat(first.essence()).doesNotContain("hunter2", "half", "X-Partial", "IllegalState");
            assertThat(second.replayed()).isTrue();
            assertThat(second.essence()).isEqualTo(first.essence());
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void a_retried_exception_releases_the_key_and_takes_its_usual_course() {
        try (TestServer server = server(Failures.RETRY, (request, response) -> {
            throw new ServletException("no");
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(500);
            assertThat(first.text()).doesNotContain("urn:semel");
            assertThat(server.status("k").status()).isEqualTo(404);
            server.pay("k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void an_exception_to_reconcile_leaves_the_outcome_unknown() {
        try (TestServer server = server(Failures.RECONCILE, (request, response) -> {
            throw new IllegalStateException("no");
        })) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            Wire.Reply second = server.pay("k");

            assertThat(second.status()).isEqualTo(409);
            assertThat(second.text()).contains("idempotency_outcome_unknown");
            assertThat(server.status("k").text()).contains("\"state\":\"unknown\"");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void an_error_proves_nothing_whatever_the_policy() {
        try (TestServer server = server(Failures.RETRY, (request, response) -> {
            throw new StackOverflowError();
        })) {
            assertThat(server.pay("k").status()).isEqualTo(500);
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        }
    }

    @ParameterizedTest
    @EnumSource(Failures.class)
    void a_5xx_response_goes_to_the_first_client_and_then_follows_the_policy(Failures failures) {
        try (TestServer server = server(failures, (request, response) -> {
            response.setStatus(502);
            response.getWriter().print("upstream is down");
        })) {
            Wire.Reply first = server.pay("k");
            assertThat(first.status()).isEqualTo(502);
            assertThat(first.text()).isEqualTo("upstream is down");

            Wire.Reply second = server.pay("k");
            switch (failures) {
                case REPLAY -> assertThat(second.replayed()).isTrue();
                case RETRY -> assertThat(second.essence()).isEqualTo(first.essence());
                case RECONCILE -> assertThat(second.text()).contains("idempotency_outcome_unknown");
            }
            assertThat(server.executions).hasValue(failures == Failures.RETRY ? 2 : 1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 425, 429})
    void a_refusal_before_execution_releases_the_key(int status) {
        try (TestServer server = TestServer.protecting((request, response) -> {
            response.setStatus(status);
            response.getWriter().print("refused");
        })) {
            assertThat(server.pay("k").text()).isEqualTo("refused");
            assertThat(server.status("k").status()).isEqualTo(404);
            assertThat(server.pay("k").replayed()).isFalse();
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void a_4xx_response_is_an_answer_like_any_other() {
        try (TestServer server = server(Failures.RETRY, (request, response) -> {
            response.setStatus(402);
            response.getWriter().print("declined");
        })) {
            server.pay("k");

            assertThat(server.pay("k").replayed()).isTrue();
        }
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
    void not_executed_anywhere_among_the_causes_releases_the_key() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            throw new ServletException(
                    new CompletionException(new IllegalStateException(new NotExecutedException("no connection"))));
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(503);
            assertThat(first.text()).contains("idempotency_not_executed", "\"retryable\":true");
            assertThat(first.all("Retry-After")).containsExactly("1");
            server.pay("k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void an_unknown_outcome_anywhere_among_the_causes_is_unknown() {
        try (TestServer server = server(Failures.RETRY, (request, response) -> {
            throw new ServletException(new OutcomeUnknownException("the bank timed out"));
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(409);
            assertThat(first.text()).contains("idempotency_outcome_unknown").doesNotContain("bank");
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    void a_handler_can_say_itself_what_its_response_means() {
        try (TestServer server = TestServer.protecting((request, response) -> {
            Attempt attempt = SemelFilter.attempt(request).orElseThrow();
            assertThat(attempt.downstreamKey("charge")).hasSize(64);
            assertThat(attempt.stillOwner()).isTrue();
            if (request.getRequestURI().equals("/nothing")) {
                attempt.notExecuted("limits");
            } else {
                attempt.outcomeUnknown("timeout");
            }
            response.getWriter().print("said");
        })) {
            Wire.Request nothing = server.post("/nothing").key("n").json("{}");
            assertThat(server.send(nothing).text()).isEqualTo("said");
            assertThat(server.send(nothing).replayed()).isFalse();
            assertThat(server.executions).hasValue(2);

            Wire.Request unknown = server.post("/unknown").key("u").json("{}");
            assertThat(server.send(unknown).text()).isEqualTo("said");
            assertThat(server.send(unknown).text()).contains("idempotency_outcome_unknown");
        }
    }

    @Test
    void a_rule_of_the_route_reads_responses_first() {
        try (TestServer server = TestServer.protecting(
                policy -> policy.responseRule((status, headers) ->
                        headers.first("X-Executed").filter("no"::equals).map(no -> Failures.RETRY)),
                (request, response) -> {
                    response.setHeader("X-Executed", "no");
                    response.setStatus(400);
                })) {
            server.pay("k");
            server.pay("k");

            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    void a_rule_that_fails_leaves_the_outcome_unknown() {
        try (TestServer server = TestServer.protecting(
                policy -> policy.responseRule((status, headers) -> {
                    throw new IllegalStateException("a bug");
                }),
                (request, response) -> {})) {
            server.pay("k");

            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(server.executions).hasValue(1);
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

package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Attempt;
import dev.semel.Failures;
import dev.semel.NotExecutedException;
import dev.semel.OutcomeUnknownException;
import dev.semel.http.ProblemRenderer;
import dev.semel.testsupport.http.Wire;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** What exceptions of a handler mean, and what it says itself, beside what its responses mean. */
public interface FailuresContract extends ResponsesContract {

    @Test
    default void a_recorded_exception_is_recorded_as_the_application_renders_it() {
        ContractServer.Settings rendered = settings()
                .route("*", "*", policy -> policy)
                .gate(gate -> gate.problemRenderer((problem, request) ->
                        ProblemRenderer.Rendered.json("[\"" + problem.code().code() + "\"]")));
        try (ContractServer server = rendered.start(call -> {
            throw new IllegalStateException("on fire");
        })) {
            Wire.Reply failed = server.pay("k");
            assertThat(failed.status()).isEqualTo(500);
            assertThat(failed.text()).isEqualTo("[\"request_failed\"]");
            assertThat(failed.all("Idempotency-Key")).containsExactly("k");
            assertThat(server.pay("k").text()).isEqualTo("[\"request_failed\"]");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void a_replayed_exception_is_a_500_problem_without_internals_and_always_the_same() {
        try (ContractServer server = failing(Failures.REPLAY, call -> {
            call.header("X-Partial", "1");
            call.print("half a resp");
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
    default void a_retried_exception_releases_the_key_and_takes_its_usual_course() {
        try (ContractServer server = failing(Failures.RETRY, call -> {
            throw new IllegalStateException("no");
        })) {
            payAndFail(server, "k");
            assertThat(server.status("k").status()).isEqualTo(404);
            payAndFail(server, "k");
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    default void an_exception_to_reconcile_leaves_the_outcome_unknown() {
        try (ContractServer server = failing(Failures.RECONCILE, call -> {
            throw new IllegalStateException("no");
        })) {
            payAndFail(server, "k");
            Wire.Reply second = server.pay("k");

            assertThat(second.status()).isEqualTo(409);
            assertThat(second.text()).contains("idempotency_outcome_unknown");
            assertThat(server.status("k").text()).contains("\"state\":\"unknown\"");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void an_error_proves_nothing_whatever_the_policy() {
        try (ContractServer server = failing(Failures.RETRY, call -> {
            throw new StackOverflowError();
        })) {
            payAndFail(server, "k");
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
        }
    }

    @Test
    default void not_executed_anywhere_among_the_causes_releases_the_key() {
        try (ContractServer server = protecting(call -> {
            throw new IllegalStateException(
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
    default void an_unknown_outcome_anywhere_among_the_causes_is_unknown() {
        try (ContractServer server = failing(Failures.RETRY, call -> {
            throw new IllegalStateException(new OutcomeUnknownException("the bank timed out"));
        })) {
            Wire.Reply first = server.pay("k");

            assertThat(first.status()).isEqualTo(409);
            assertThat(first.text()).contains("idempotency_outcome_unknown").doesNotContain("bank");
            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(server.executions).hasValue(1);
        }
    }

    @Test
    default void a_handler_can_say_itself_what_its_response_means() {
        try (ContractServer server = protecting(call -> {
            Attempt attempt = call.attempt().orElseThrow();
            assertThat(attempt.downstreamKey("charge")).hasSize(64);
            assertThat(attempt.stillOwner()).isTrue();
            if (call.path().equals("/nothing")) {
                attempt.notExecuted("limits");
            } else {
                attempt.outcomeUnknown("timeout");
            }
            call.print("said");
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
}

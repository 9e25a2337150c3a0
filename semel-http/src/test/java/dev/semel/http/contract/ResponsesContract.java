package dev.semel.http.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Failures;
import dev.semel.testsupport.http.Wire;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What responses of a handler mean: recorded, released, or unknown. */
public interface ResponsesContract extends OnTransport {

    @ParameterizedTest
    @EnumSource(Failures.class)
    default void a_5xx_response_goes_to_the_first_client_and_then_follows_the_policy(Failures failures) {
        try (ContractServer server = failing(failures, call -> {
            call.status(502);
            call.print("upstream is down");
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
    default void a_refusal_before_execution_releases_the_key(int status) {
        try (ContractServer server = protecting(call -> {
            call.status(status);
            call.print("refused");
        })) {
            assertThat(server.pay("k").text()).isEqualTo("refused");
            assertThat(server.status("k").status()).isEqualTo(404);
            assertThat(server.pay("k").replayed()).isFalse();
            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    default void a_4xx_response_is_an_answer_like_any_other() {
        try (ContractServer server = failing(Failures.RETRY, call -> {
            call.status(402);
            call.print("declined");
        })) {
            server.pay("k");

            assertThat(server.pay("k").replayed()).isTrue();
        }
    }

    @Test
    default void a_rule_of_the_route_reads_responses_first() {
        try (ContractServer server = protecting(
                policy -> policy.responseRule((status, headers) ->
                        headers.first("X-Executed").filter("no"::equals).map(no -> Failures.RETRY)),
                call -> {
                    call.header("X-Executed", "no");
                    call.status(400);
                })) {
            server.pay("k");
            server.pay("k");

            assertThat(server.executions).hasValue(2);
        }
    }

    @Test
    default void a_rule_that_fails_leaves_the_outcome_unknown() {
        try (ContractServer server = protecting(
                policy -> policy.responseRule((status, headers) -> {
                    throw new IllegalStateException("a bug");
                }),
                call -> {})) {
            server.pay("k");

            assertThat(server.pay("k").text()).contains("idempotency_outcome_unknown");
            assertThat(server.executions).hasValue(1);
        }
    }
}

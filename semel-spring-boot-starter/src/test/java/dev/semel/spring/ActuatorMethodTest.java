package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.OutcomeUnknownException;
import dev.semel.spring.actuate.IdempotencyEndpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

@DisplayName("Settling the unknown outcome of a method through Actuator")
class ActuatorMethodTest {

    @EnableAutoConfiguration
    @Import(Bank.class)
    static class Application {}

    record Receipt(int number, List<String> lines) {}

    static class Bank {

        @Idempotent(operation = "charge", key = "#id", scope = "'acme'")
        public Receipt charge(String id) {
            throw new OutcomeUnknownException("the line went dead");
        }
    }

    private static WebEndpointResponse<Object> happened(
            IdempotencyEndpoint endpoint, @Nullable String status, @Nullable String body) {
        return endpoint.resolve(
                "acme/charge", "c-1", "happened", "INC-7", "alice", null, status, null, body, SecurityContext.NONE);
    }

    @Test
    void takes_the_result_as_json_and_nothing_that_it_could_not_read_back() {
        try (RunningApplication application = RunningApplication.plain(
                Application.class,
                "semel.store=memory:",
                "semel.reconciler.enabled=false",
                "management.endpoints.web.exposure.include=idempotency",
                "management.endpoint.idempotency.access=unrestricted")) {
            Bank bank = application.bean(Bank.class);
            IdempotencyEndpoint endpoint = application.bean(IdempotencyEndpoint.class);
            assertThatThrownBy(() -> bank.charge("c-1")).isInstanceOf(OutcomeUnknownException.class);

            WebEndpointResponse<Object> http = happened(endpoint, "201", "{}");
            assertThat(http.getStatus()).isEqualTo(400);
            assertThat(http.getBody()).asString().contains("leave status and headers out");

            assertThat(happened(endpoint, null, "{\"number\":7,\"lines\":[\"tea\"]}")
                            .getStatus())
                    .isEqualTo(200);
            assertThat(bank.charge("c-1")).isEqualTo(new Receipt(7, List.of("tea")));
        }
    }
}

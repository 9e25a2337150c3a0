package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.swagger.v3.oas.models.responses.ApiResponse;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The OpenAPI description")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiTest {

    private static final ApiResponse SHIPPED = new ApiResponse().description("The order was shipped");

    private RunningApplication application;
    private JsonNode api;

    /** The profile keeps it from applications of other tests, which scan this package. */
    @RestController
    @Profile("never")
    static class Orders {

        @PostMapping("/orders")
        @ResponseStatus(HttpStatus.CREATED)
        Map<String, String> place(@RequestBody Map<String, String> order) {
            return order;
        }

        @Idempotent(operation = "change-order")
        @PutMapping("/orders/{id}")
        Map<String, String> change(
                @PathVariable String id,
                @RequestHeader(name = "x-request-id", required = false) String key,
                @RequestBody Map<String, String> order) {
            return order;
        }

        @PostMapping("/refunds/{id}")
        String refund(@PathVariable String id) {
            return id;
        }

        @PostMapping("/charges")
        String charge() {
            return "";
        }

        @PostMapping("/entities")
        String insert() {
            return "";
        }

        @PostMapping("/searches")
        String search() {
            return "";
        }

        @PostMapping("/notes")
        String note() {
            return "";
        }

        @GetMapping("/orders/{id}")
        String show(@PathVariable String id) {
            return id;
        }
    }

    /** Without a stereotype, for the same reason. */
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Orders orders() {
            return new Orders();
        }

        @Bean
        OperationCustomizer shipped() {
            return (operation, handler) -> {
                if (handler.getMethod().getName().equals("change")) {
                    operation.getResponses().addApiResponse("409", SHIPPED);
                }
                return operation;
            };
        }
    }

    @BeforeAll
    void start() {
        application = RunningApplication.plain(
                Application.class,
                "semel.store=memory:",
                "semel.http.key-header=X-Request-Id",
                "semel.unprotected=POST /searches",
                "semel.operations.place-order.match=POST /orders",
                "semel.operations.place-order.in-progress=accepted",
                "semel.operations.change-order.mismatch-status=409",
                "semel.operations.charge.match=POST /charges",
                "semel.operations.charge.profile=stripe",
                "semel.operations.insert.match=POST /entities",
                "semel.operations.insert.profile=oasis",
                "semel.operations.refund.match=POST /refunds/*",
                "semel.operations.refund.key=content",
                "semel.operations.refund.store-down=fail-open");
        HttpResponse<String> response = application.send(HttpRequest.newBuilder(application.uri("/v3/api-docs")));
        assertThat(response.statusCode()).isEqualTo(200);
        api = new JsonMapper().readTree(response.body());
    }

    @AfterAll
    void stop() {
        application.close();
    }

    private JsonNode operation(String method, String path) {
        JsonNode operation = api.path("paths").path(path).path(method);
        assertThat(operation.isObject()).as(api.toString()).isTrue();
        return operation;
    }

    private static JsonNode headerOf(JsonNode operation) {
        for (JsonNode parameter : operation.path("parameters")) {
            if (parameter.path("in").asString().equals("header")) {
                return parameter;
            }
        }
        return new JsonMapper().nullNode();
    }

    private static String description(JsonNode operation, String status) {
        return operation.path("responses").path(status).path("description").asString("");
    }

    @Test
    void marks_the_header_as_required() {
        JsonNode place = operation("post", "/orders");

        assertThat(headerOf(place).path("name").asString()).isEqualTo("X-Request-Id");
        assertThat(headerOf(place).path("required").asBoolean()).isTrue();
        assertThat(description(place, "400")).contains("The header X-Request-Id is missing", "idempotency_key_invalid");
    }

    @Test
    void lists_the_answers_of_the_protocol() {
        JsonNode place = operation("post", "/orders");
        JsonNode responses = place.path("responses");

        assertThat(description(place, "409"))
                .contains("idempotency_outcome_unknown")
                .doesNotContain("in_progress");
        assertThat(description(place, "422")).contains("idempotency_key_reused_with_different_payload");
        assertThat(description(place, "412")).contains("idempotency_key_expired");
        assertThat(description(place, "503")).contains("idempotency_store_unavailable");
        assertThat(responses.path("409").path("headers").has("Retry-After")).isTrue();
        assertThat(responses.path("201").path("headers").has("Idempotency-Replayed"))
                .isTrue();
        assertThat(responses.path("202").path("headers").has("Location")).isTrue();
        assertThat(responses
                        .path("422")
                        .path("content")
                        .path("application/problem+json")
                        .path("schema")
                        .path("$ref")
                        .asString())
                .isEqualTo("#/components/schemas/IdempotencyProblem");
        assertThat(api.path("components")
                        .path("schemas")
                        .path("IdempotencyProblem")
                        .path("properties")
                        .propertyNames())
                .contains("code", "retryable", "safe_new_key", "next");
    }

    @Test
    void says_what_every_answer_promises_and_what_the_policy_is() {
        JsonNode place = operation("post", "/orders");

        assertThat(place.path("responses").path("201").path("headers").propertyNames())
                .contains("X-Request-Id", "Idempotency-Expires", "Idempotency-Age");
        assertThat(place.path("responses").path("422").path("headers").propertyNames())
                .contains("X-Request-Id")
                .doesNotContain("Idempotency-Expires");
        JsonNode policy = place.path("x-idempotency-policy");
        assertThat(policy.path("operation").asString()).isEqualTo("place-order");
        assertThat(policy.path("key").path("header").asString()).isEqualTo("X-Request-Id");
        assertThat(policy.path("retention").asString()).isEqualTo("PT24H");
        assertThat(policy.path("in_progress").path("status").asInt()).isEqualTo(202);
        assertThat(operation("get", "/orders/{id}").has("x-idempotency-policy")).isFalse();
    }

    @Test
    void describes_the_profile_of_stripe() {
        JsonNode charge = operation("post", "/charges");

        assertThat(charge.path("responses").path("200").path("headers").propertyNames())
                .contains("Idempotent-Replayed")
                .doesNotContain("Idempotency-Replayed");
        assertThat(charge.path("responses")
                        .path("400")
                        .path("content")
                        .path("application/json")
                        .path("schema")
                        .path("$ref")
                        .asString())
                .isEqualTo("#/components/schemas/IdempotencyError");
        assertThat(charge.path("responses").has("422")).isFalse();
    }

    @Test
    void describes_the_profile_of_oasis() {
        JsonNode insert = operation("post", "/entities");

        assertThat(insert.path("parameters").findValuesAsString("name"))
                .contains("Repeatability-Request-ID", "Repeatability-First-Sent");
        assertThat(insert.path("responses").path("200").path("headers").propertyNames())
                .contains("Repeatability-Result");
    }

    @Test
    void keeps_descriptions_of_the_application() {
        JsonNode change = operation("put", "/orders/{id}");

        assertThat(description(change, "409"))
                .startsWith("The order was shipped; ")
                .contains("different_payload", "in_progress", "outcome_unknown");
        assertThat(SHIPPED.getDescription()).isEqualTo("The order was shipped");
        assertThat(change.path("responses").has("422")).isFalse();
        assertThat(headerOf(change).path("name").asString()).isEqualTo("x-request-id");
        assertThat(headerOf(change).path("required").asBoolean()).isTrue();
        assertThat(change.path("parameters")).hasSize(2);
    }

    @Test
    void has_no_key_header_where_the_key_is_derived() {
        JsonNode refund = operation("post", "/refunds/{id}");

        assertThat(headerOf(refund).isNull()).isTrue();
        assertThat(refund.path("responses").has("409")).isTrue();
        assertThat(refund.path("responses").has("503")).isFalse();
        assertThat(refund.path("responses").path("200").path("headers").has("Idempotency-Replayed"))
                .isTrue();
    }

    @Test
    void marks_the_header_as_optional_where_it_is() {
        JsonNode note = operation("post", "/notes");

        assertThat(headerOf(note).path("name").asString()).isEqualTo("X-Request-Id");
        assertThat(headerOf(note).path("required").asBoolean(false)).isFalse();
        assertThat(description(note, "400")).doesNotContain("missing").contains("idempotency_key_invalid");
    }

    @Test
    void leaves_unprotected_requests_unchanged() {
        assertThat(headerOf(operation("post", "/searches")).isNull()).isTrue();
        assertThat(operation("post", "/searches").path("responses").propertyNames())
                .containsExactly("200");
        assertThat(operation("get", "/orders/{id}").path("responses").propertyNames())
                .containsExactly("200");
    }
}

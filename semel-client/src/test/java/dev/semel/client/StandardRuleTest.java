package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The standard rule for retries")
class StandardRuleTest {

    private final RetryRule rule = RetryRule.standard();

    private static Reply reply(int status, String json, Map<String, String> headers) {
        Map<String, List<String>> all = new HashMap<>();
        headers.forEach((name, value) -> all.put(name, List.of(value)));
        return new Reply(
                status,
                HttpHeaders.of(all, (name, value) -> true),
                JsonFields.of(json.getBytes(StandardCharsets.UTF_8)));
    }

    private boolean retries(int status, String json) {
        return rule.retries(reply(status, json, Map.of()));
    }

    private boolean retries(int status, String header, String value) {
        return rule.retries(reply(status, "", Map.of(header, value)));
    }

    @ParameterizedTest
    @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504})
    void retries_transient_statuses(int status) {
        assertThat(retries(status, "")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 202, 204, 301, 400, 401, 403, 404, 409, 410, 412, 413, 422, 501, 505, 511})
    void takes_other_statuses_as_final(int status) {
        assertThat(retries(status, "")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Idempotency-Replayed", "Idempotent-Replayed", "idempotency-replayed"})
    void takes_a_replay_as_final_with_any_status(String header) {
        assertThat(retries(500, header, "true")).isFalse();
        assertThat(retries(503, header, "true")).isFalse();
        assertThat(rule.retries(reply(409, TestServer.problem("idempotency_key_in_progress"), Map.of(header, "true"))))
                .isFalse();
        assertThat(retries(503, header, "false")).isTrue();
    }

    @Test
    void does_not_retry_when_the_server_ignored_the_key() {
        assertThat(retries(500, "Idempotency-Protected", "false")).isFalse();
        assertThat(retries(503, "Idempotency-Protected", "false")).isFalse();
        assertThat(rule.alsoOn(500).retries(reply(500, "", Map.of("Idempotency-Protected", "false"))))
                .isFalse();
    }

    @Test
    void follows_the_header_of_stripe() {
        assertThat(retries(409, "Stripe-Should-Retry", "true")).isTrue();
        assertThat(retries(400, "Stripe-Should-Retry", "true")).isTrue();
        assertThat(retries(500, "Stripe-Should-Retry", "false")).isFalse();
        assertThat(retries(200, "Stripe-Should-Retry", "true")).isFalse();
        assertThat(retries(409, """
                {"error": {"code": "idempotency_key_in_use", "type": "invalid_request_error",
                 "message": "There is currently another in-progress request using this idempotent key"}}""")).isTrue();
        assertThat(retries(400, """
                {"error": {"type": "idempotency_error", "message": "Keys can only be used with the same parameters"}}""")).isFalse();
    }

    @Test
    void recognizes_the_problems_of_semel() {
        assertThat(retries(409, TestServer.problem("idempotency_key_in_progress")))
                .isTrue();
        assertThat(retries(409, TestServer.problem("idempotency_outcome_unknown")))
                .isTrue();
        assertThat(retries(202, "{\"state\":\"unknown\",\"code\":\"idempotency_outcome_unknown\",\"retryable\":true}"))
                .isTrue();
        assertThat(retries(409, "{\"code\":\"idempotency_response_not_retained\",\"retryable\":false}"))
                .isFalse();
        assertThat(retries(409, "{\"code\":\"idempotency_key_reused_with_different_payload\",\"retryable\":false}"))
                .isFalse();
        assertThat(retries(500, "{\"code\":\"request_failed\",\"retryable\":false}"))
                .isFalse();
        assertThat(retries(503, "{\"code\":\"idempotency_store_unavailable\",\"retryable\":true}"))
                .isTrue();
    }

    @Test
    void recognizes_the_problems_of_the_draft() {
        assertThat(retries(409, """
                {"type": "https://developer.example.com/idempotency",
                 "title": "A request is outstanding for this Idempotency-Key",
                 "detail": "A request with the same Idempotency-Key for the same operation is being processed."}""")).isTrue();
        assertThat(retries(422, """
                {"type": "https://developer.example.com/idempotency", "title": "Idempotency-Key is already used"}""")).isFalse();
        assertThat(retries(409, """
                {"type": "https://developer.example.com/idempotency", "title": "Idempotency-Key is already used"}""")).isFalse();
        assertThat(retries(400, """
                {"type": "https://developer.example.com/idempotency", "title": "Idempotency-Key is missing"}""")).isFalse();
    }

    @Test
    void retries_a_conflict_with_retry_after() {
        assertThat(retries(409, "Retry-After", "1")).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"code\":\"name_taken\"}",
                "{\"code\":\"version_conflict\",\"retryable\":true}",
                "{\"title\":\"The account is not empty\"}",
                "[\"idempotency_key_in_progress\"]",
                "{\"errors\":[{\"code\":\"idempotency_key_in_progress\"}]}",
                "not json",
            })
    void takes_the_operations_own_conflict_as_final(String json) {
        assertThat(retries(409, json)).isFalse();
    }

    @Test
    void can_be_extended_and_restricted_by_status() {
        RetryRule changed = rule.alsoOn(409, 520).notOn(500);

        assertThat(changed.retries(reply(409, "", Map.of()))).isTrue();
        assertThat(changed.retries(reply(520, "", Map.of()))).isTrue();
        assertThat(changed.retries(reply(500, "", Map.of()))).isFalse();
        assertThat(changed.retries(reply(503, "", Map.of()))).isTrue();
        assertThat(changed.retries(reply(409, "", Map.of("Idempotency-Replayed", "true"))))
                .isFalse();
    }
}

package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProblemTest {

    @Test
    void it_is_written_as_in_rfc_9457() {
        Answer answer = Problem.of(ProblemCode.IDEMPOTENCY_KEY_IN_PROGRESS, "Say \"when\"\n\u0000\\ é")
                .toAnswer(Duration.ofMillis(1001));

        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.headers().first("content-type")).hasValue("application/problem+json");
        assertThat(answer.headers().first("Retry-After")).hasValue("2");
        assertThat(new String(answer.body().bytes(), StandardCharsets.UTF_8))
                .isEqualTo("{\"type\":\"urn:semel:problem:idempotency_key_in_progress\","
                        + "\"title\":\"A request with this idempotency key is in progress\",\"status\":409,"
                        + "\"detail\":\"Say \\\"when\\\"\\u000a\\u0000\\\\ é\","
                        + "\"code\":\"idempotency_key_in_progress\",\"retryable\":true,\"safe_new_key\":false,"
                        + "\"next\":{\"code\":\"wait_and_retry_same_key\",\"detail\":\"Wait as long as Retry-After says, then"
                        + " repeat the request unchanged with the same key.\"}}");
    }

    @Test
    void retry_after_is_never_less_than_a_second() {
        assertThat(Problem.seconds(Duration.ZERO)).isEqualTo("1");
        assertThat(Problem.seconds(Duration.ofSeconds(3))).isEqualTo("3");
    }
}

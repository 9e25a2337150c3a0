package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a server says about a key")
class KeyAdviceTest {

    private static final String PROBLEM = "application/problem+json";

    private final TestServer server = new TestServer();
    private final QuickTime time = new QuickTime();
    private final IdempotentClient client =
            IdempotentClient.over(HttpClient.newHttpClient()).time(time).build();

    @AfterEach
    void stop() {
        server.close();
    }

    private static String refusal(String code, boolean safeNewKey) {
        return "{\"code\":\"" + code + "\",\"retryable\":false,\"safe_new_key\":" + safeNewKey
                + ",\"next\":{\"code\":\"send_key\",\"detail\":\"Send a key.\"}}";
    }

    private Result.Answered<String> answered(ClientIntent intent) throws GaveUpException {
        return client.send(intent, BodyHandlers.ofString()).orElseThrow();
    }

    @Test
    void is_in_the_result_with_the_next_thing_to_do() throws GaveUpException {
        server.then(400, PROBLEM, refusal("idempotency_key_missing", true));

        Result.Answered<String> answer = answered(ClientIntent.of(server.payment()));

        assertThat(answer.safeNewKey()).isTrue();
        assertThat(answer.advice().next()).contains(new Reply.Next("send_key", "Send a key."));
        assertThat(answer.body()).contains("idempotency_key_missing");
    }

    @Test
    void never_makes_the_client_change_the_key() throws GaveUpException {
        server.then(400, PROBLEM, refusal("idempotency_key_missing", true))
                .otherwise(TestServer.answer(201, "text/plain", ""));

        assertThat(answered(ClientIntent.of(server.payment())).attempts()).isEqualTo(1);
        assertThat(server.received()).hasSize(1);
    }

    @Test
    void is_not_believed_after_an_attempt_that_may_have_been_executed() throws GaveUpException {
        server.then(TestServer.loseAnswer()).then(401, PROBLEM, refusal("idempotency_key_missing", true));

        Result.Answered<String> answer = answered(ClientIntent.of(server.payment()));

        assertThat(answer.outcomeUnknown()).isTrue();
        assertThat(answer.safeNewKey()).isFalse();
        assertThat(server.keys()).containsExactly(answer.key());
    }

    @Test
    void includes_until_when_the_answer_is_kept_and_how_old_it_is() throws GaveUpException {
        server.then(
                201,
                "text/plain",
                "paid",
                "Idempotency-Replayed",
                "true",
                "Idempotency-Expires",
                "Fri, 20 Nov 2026 12:00:00 GMT",
                "Idempotency-Age",
                "90");

        KeyAdvice advice = answered(ClientIntent.of(server.payment())).advice();

        assertThat(advice.expires()).contains(Instant.parse("2026-11-20T12:00:00Z"));
        assertThat(advice.age()).contains(Duration.ofSeconds(90));
        assertThat(advice.safeNewKey()).isFalse();
        assertThat(advice.next()).isEmpty();
    }

    @Test
    void is_empty_where_the_server_says_nothing_or_nothing_readable() throws GaveUpException {
        server.then(201, "text/plain", "paid", "Idempotency-Expires", "in a week", "Idempotency-Age", "-1")
                .then(201, "text/plain", "paid");

        KeyAdvice unreadable = answered(ClientIntent.of(server.payment())).advice();
        KeyAdvice nothing = answered(ClientIntent.of(server.payment())).advice();

        assertThat(unreadable).isEqualTo(nothing);
        assertThat(nothing.expires()).isEmpty();
    }

    /** 412: the server no longer has a record of the key. 403: it has one, and may not show it. */
    @ParameterizedTest
    @CsvSource({"412, idempotency_key_expired", "403, idempotency_replay_forbidden"})
    void leaves_an_earlier_attempt_in_doubt(int status, String code) throws GaveUpException {
        server.then(TestServer.loseAnswer())
                .then(status, PROBLEM, refusal(code, false))
                .then(status, PROBLEM, refusal(code, false))
                .then(status, PROBLEM, refusal(code, false));

        Result.Answered<String> afterLoss = answered(ClientIntent.of(server.payment()));
        Result.Answered<String> withKey =
                answered(ClientIntent.of(server.payment()).withKey(afterLoss.key()));
        Result.Answered<String> fresh = answered(ClientIntent.of(server.payment()));

        assertThat(afterLoss.status()).isEqualTo(status);
        assertThat(afterLoss.outcomeUnknown()).isTrue();
        assertThat(withKey.outcomeUnknown()).as("a key that was sent before").isTrue();
        assertThat(fresh.outcomeUnknown())
                .as("a new key, whose only attempt was refused")
                .isFalse();
        assertThat(fresh.safeNewKey()).isFalse();
    }

    @Test
    void keeps_an_intent_unfinished_whose_key_has_expired(@TempDir Path directory) throws IOException {
        server.then(TestServer.loseAnswer()).then(412, PROBLEM, refusal("idempotency_key_expired", false));
        try (FileIntentJournal journal = FileIntentJournal.open(directory.resolve("journal"))) {
            IdempotentClient journaled = IdempotentClient.over(HttpClient.newHttpClient())
                    .time(time)
                    .journal(journal)
                    .build();

            Result<String> result =
                    journaled.send(ClientIntent.named("order-42", server.payment()), BodyHandlers.ofString());

            assertThat(result.outcomeUnknown()).isTrue();
            assertThat(journal.unfinished())
                    .extracting(IntentJournal.Entry::name)
                    .containsExactly("order-42");
        }
    }

    @Test
    void is_not_needed_for_a_new_key_when_nothing_was_executed() {
        server.close();
        Result<String> result = client.send(server.payment(), BodyHandlers.ofString());
        assertThat(result).isInstanceOf(Result.GaveUp.class);
        assertThat(result.safeNewKey()).isTrue();
    }
}

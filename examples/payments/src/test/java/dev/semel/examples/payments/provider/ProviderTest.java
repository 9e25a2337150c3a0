package dev.semel.examples.payments.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The simulated provider")
class ProviderTest {

    @TempDir
    Path directory;

    private RunningProvider provider;

    @BeforeEach
    void start() throws IOException {
        provider = RunningProvider.start(directory, ProviderSettings.defaults());
    }

    @AfterEach
    void stop() throws IOException {
        provider.close();
    }

    @Test
    void charges_once_per_key_and_gives_the_same_answer_again() {
        HttpResponse<String> first = provider.charge("k1", "pm_ok");
        HttpResponse<String> second = provider.charge("k1", "pm_ok");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).contains("\"id\":\"ch_", "\"status\":\"succeeded\"", "\"key\":\"k1\"");
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void charges_once_for_many_simultaneous_requests_with_one_key() {
        var answers = IntStream.range(0, 32)
                .mapToObj(i -> provider.chargeAsync("k1", "pm_ok"))
                .toList();

        assertThat(answers.stream()
                        .map(CompletableFuture::join)
                        .map(HttpResponse::body)
                        .distinct())
                .hasSize(1);
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void lists_charges_with_their_keys() {
        provider.charge("k1", "pm_ok");

        assertThat(provider.get("/ledger").body())
                .startsWith("[{")
                .contains(
                        "\"key\":\"k1\"",
                        "\"account\":\"acme\"",
                        "\"amountCents\":1999",
                        "\"currency\":\"EUR\"",
                        "\"id\":\"ch_",
                        "\"at\":\"20");
    }

    @Test
    void remembers_charges_and_declines_after_a_restart() throws Exception {
        String charged = provider.charge("k1", "pm_ok").body();
        String declined = provider.charge("k2", "pm_declined").body();
        provider.stop();
        provider.start(ProviderSettings.defaults());

        assertThat(provider.charge("k1", "pm_ok").body()).isEqualTo(charged);
        assertThat(provider.charge("k2", "pm_declined").body()).isEqualTo(declined);
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void removes_a_line_that_a_crash_left_unfinished() throws Exception {
        provider.charge("k1", "pm_ok");
        provider.stop();
        Files.writeString(
                directory.resolve("ledger.jsonl"), "{\"id\":\"ch_torn\",\"key\":\"k2\"", StandardOpenOption.APPEND);
        provider.start(ProviderSettings.defaults());

        assertThat(provider.get("/charges?key=k2").statusCode()).isEqualTo(404);
        assertThat(provider.charge("k3", "pm_ok").statusCode()).isEqualTo(201);
        assertThat(Files.readAllLines(directory.resolve("ledger.jsonl")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ledger.jsonl", "declines.jsonl", "dropped.jsonl"})
    void refuses_a_damaged_ledger_and_releases_its_lock(String file) throws Exception {
        provider.stop();
        Files.writeString(directory.resolve(file), "not json\n");

        assertThatThrownBy(() -> Provider.start(0, directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("damaged");

        Files.delete(directory.resolve(file));
        provider.start(ProviderSettings.defaults());
        assertThat(provider.charge("k1", "pm_ok").statusCode()).isEqualTo(201);
    }

    @Test
    void reads_a_ledger_without_references() throws Exception {
        provider.stop();
        Files.writeString(directory.resolve("ledger.jsonl"), """
                {"id":"ch_old","key":"k1","account":"acme","customerId":"cus_1","amountCents":1999,"currency":"EUR",\
                "paymentMethod":"pm_ok","status":"succeeded","at":"2026-01-01T00:00:00Z"}
                """);
        provider.start(ProviderSettings.defaults());

        assertThat(provider.charge("k1", "pm_ok").body()).contains("\"id\":\"ch_old\"", "\"reference\":null");
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void refuses_a_ledger_that_another_provider_has_open() {
        assertThatThrownBy(() -> Provider.start(0, directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is in use by another provider");
    }

    @Test
    void refuses_a_port_that_is_in_use() {
        int port = provider.provider().uri().getPort();

        assertThatThrownBy(() -> Provider.start(port, directory.resolve("other")))
                .isInstanceOf(BindException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"customerId\":\"c\",\"amountCents\":0,\"currency\":\"EUR\",\"paymentMethod\":\"pm_ok\"}",
                "{\"customerId\":\"c\",\"amountCents\":1.5,\"currency\":\"EUR\",\"paymentMethod\":\"pm_ok\"}",
                "{\"customerId\":\"\",\"amountCents\":1,\"currency\":\"EUR\",\"paymentMethod\":\"pm_ok\"}",
                "{\"customerId\":\"c\",\"amountCents\":1,\"paymentMethod\":\"pm_ok\"}",
                "{\"customerId\":\"c\",\"amountCents\":1,\"currency\":\"EUR\",\"paymentMethod\":\"pm_gold\"}",
                "{\"customerId\":\"\\ud800\",\"amountCents\":1,\"currency\":\"EUR\",\"paymentMethod\":\"pm_ok\"}"
            })
    void refuses_bad_input_with_a_reason(String body) throws Exception {
        HttpResponse<String> answer = provider.post("k1", body);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).startsWith("{\"error\":\"bad_request\",\"message\":\"");
        assertThat(provider.charges()).isZero();
    }

    @Test
    void refuses_a_charge_without_a_key_and_a_path_that_does_not_exist() throws Exception {
        HttpResponse<String> answer = provider.postWithoutKey();

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("Idempotency-Key");
        assertThat(provider.get("/charges").statusCode()).isEqualTo(400);
        assertThat(provider.get("/refunds").statusCode()).isEqualTo(404);
    }

    @Test
    void returns_the_reference_of_the_charge() throws Exception {
        String reference = "\"acme/order \\\"1\\\"\\n\"";
        String charged = provider.chargeReferring("k1", reference).body();

        assertThat(charged).contains("\"reference\":" + reference);
        assertThat(provider.get("/charges?key=k1").body()).isEqualTo(charged);
        assertThat(provider.get("/ledger").body()).isEqualTo("[" + charged + "]");
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void accepts_a_charge_without_a_reference() throws Exception {
        assertThat(provider.charge("k1", "pm_ok").body()).contains("\"reference\":null");
        assertThat(provider.chargeReferring("k2", "null").body()).contains("\"reference\":null");
        assertThat(provider.charges()).isEqualTo(2);
    }

    @Test
    void accepts_a_reference_of_at_most_1000_characters() throws Exception {
        assertThat(provider.chargeReferring("k1", quoted("x".repeat(1000))).statusCode())
                .isEqualTo(201);

        HttpResponse<String> refused = provider.chargeReferring("k2", quoted("x".repeat(1001)));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("reference must not be longer than 1000 characters");
        assertThat(provider.charges()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\" \"", "7", "[]", "{}", "true", "\"\\udc00\""})
    void refuses_a_reference_that_is_not_text(String reference) throws Exception {
        HttpResponse<String> refused = provider.chargeReferring("k1", reference);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("reference must be");
        assertThat(provider.charges()).isZero();
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }
}

package dev.semel.examples.payments.provider;

import static java.net.http.HttpRequest.BodyPublishers.ofString;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
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

    private static final String ORDER = """
            {"customerId":"cus_1","amountCents":1999,"currency":"EUR","paymentMethod":"%s","account":"acme"}""";

    private final HttpClient http = HttpClient.newHttpClient();

    @TempDir
    Path directory;

    private Provider provider;

    @BeforeEach
    void start() throws IOException {
        provider = Provider.start(0, directory);
    }

    @AfterEach
    void stop() throws IOException {
        provider.close();
    }

    @Test
    void charges_once_per_key_and_gives_the_same_answer_again() throws Exception {
        HttpResponse<String> first = charge("k1", "pm_ok");
        HttpResponse<String> second = charge("k1", "pm_ok");

        assertThat(first.statusCode()).isEqualTo(201);
        assertThat(first.body()).contains("\"id\":\"ch_", "\"status\":\"succeeded\"", "\"key\":\"k1\"");
        assertThat(second.statusCode()).isEqualTo(201);
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(lines()).isEqualTo(1);
    }

    @Test
    void charges_once_when_the_same_key_comes_many_times_at_once() {
        var answers = IntStream.range(0, 32)
                .mapToObj(i -> http.sendAsync(request("k1", "pm_ok"), HttpResponse.BodyHandlers.ofString()))
                .toList();

        assertThat(answers.stream()
                        .map(CompletableFuture::join)
                        .map(HttpResponse::body)
                        .distinct())
                .hasSize(1);
        assertThat(lines()).isEqualTo(1);
    }

    @Test
    void answers_a_decline_with_402_and_charges_nothing() throws Exception {
        HttpResponse<String> first = charge("k1", "pm_declined");

        assertThat(first.statusCode()).isEqualTo(402);
        assertThat(charge("k1", "pm_declined").body()).isEqualTo(first.body());
        assertThat(get("/ledger").body()).isEqualTo("[]");
        assertThat(lines()).isZero();
        assertThat(get("/charges?key=k1").body()).isEqualTo(first.body());
    }

    @Test
    void fails_with_500_and_charges_nothing() throws Exception {
        assertThat(charge("k1", "pm_error").statusCode()).isEqualTo(500);
        assertThat(lines()).isZero();
        assertThat(get("/charges?key=k1").statusCode()).isEqualTo(404);
    }

    @Test
    void has_made_a_slow_charge_before_it_answers() {
        var answer = http.sendAsync(request("k1", "pm_slow"), HttpResponse.BodyHandlers.ofString());

        await().until(() -> lines() == 1);
        assertThat(answer).isNotDone();
        assertThat(answer.join().statusCode()).isEqualTo(201);
    }

    @Test
    void lists_charges_with_their_keys() throws Exception {
        charge("k1", "pm_ok");

        assertThat(get("/ledger").body())
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
        String charged = charge("k1", "pm_ok").body();
        String declined = charge("k2", "pm_declined").body();
        provider.close();
        provider = Provider.start(0, directory);

        assertThat(charge("k1", "pm_ok").body()).isEqualTo(charged);
        assertThat(charge("k2", "pm_declined").body()).isEqualTo(declined);
        assertThat(lines()).isEqualTo(1);
    }

    @Test
    void cuts_off_a_line_that_a_crash_left_unfinished() throws Exception {
        charge("k1", "pm_ok");
        provider.close();
        Files.writeString(
                directory.resolve("ledger.jsonl"), "{\"id\":\"ch_torn\",\"key\":\"k2\"", StandardOpenOption.APPEND);
        provider = Provider.start(0, directory);

        assertThat(get("/charges?key=k2").statusCode()).isEqualTo(404);
        assertThat(charge("k3", "pm_ok").statusCode()).isEqualTo(201);
        assertThat(Files.readAllLines(directory.resolve("ledger.jsonl")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    }

    @Test
    void refuses_damaged_books() throws Exception {
        provider.close();
        Files.writeString(directory.resolve("ledger.jsonl"), "not json\n");

        assertThatThrownBy(() -> Provider.start(0, directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("are damaged");
    }

    @Test
    void refuses_books_that_another_provider_has_open() {
        assertThatThrownBy(() -> Provider.start(0, directory))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is in use by another provider");
    }

    @Test
    void refuses_a_port_that_is_in_use() {
        assertThatThrownBy(() -> Provider.start(provider.uri().getPort(), directory.resolve("other")))
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
        HttpResponse<String> answer = send(request("k1").POST(ofString(body)).build());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).startsWith("{\"error\":\"bad_request\",\"message\":\"");
        assertThat(lines()).isZero();
    }

    @Test
    void gives_the_reference_back_that_came_with_the_charge() throws Exception {
        String reference = "\"acme/order \\\"1\\\"\\n\"";
        String charged = referring("k1", reference).body();

        assertThat(charged).contains("\"reference\":" + reference);
        assertThat(get("/charges?key=k1").body()).isEqualTo(charged);
        assertThat(get("/ledger").body()).isEqualTo("[" + charged + "]");
        assertThat(lines()).isEqualTo(1);
    }

    @Test
    void does_without_a_reference() throws Exception {
        assertThat(charge("k1", "pm_ok").body()).contains("\"reference\":null");
        assertThat(referring("k2", "null").body()).contains("\"reference\":null");
        assertThat(lines()).isEqualTo(2);
    }

    @Test
    void takes_a_reference_of_1000_characters_and_not_one_more() throws Exception {
        assertThat(referring("k1", quoted("x".repeat(1000))).statusCode()).isEqualTo(201);

        HttpResponse<String> refused = referring("k2", quoted("x".repeat(1001)));
        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("reference must not be longer than 1000 characters");
        assertThat(lines()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "\" \"", "7", "[]", "{}", "true", "\"\\udc00\""})
    void refuses_a_reference_that_is_no_text(String reference) throws Exception {
        HttpResponse<String> refused = referring("k1", reference);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("reference must be");
        assertThat(lines()).isZero();
    }

    @Test
    void reads_books_from_before_there_were_references() throws Exception {
        provider.close();
        Files.writeString(directory.resolve("ledger.jsonl"), """
                {"id":"ch_old","key":"k1","account":"acme","customerId":"cus_1","amountCents":1999,"currency":"EUR",\
                "paymentMethod":"pm_ok","status":"succeeded","at":"2026-01-01T00:00:00Z"}
                """);
        provider = Provider.start(0, directory);

        assertThat(charge("k1", "pm_ok").body()).contains("\"id\":\"ch_old\"", "\"reference\":null");
        assertThat(lines()).isEqualTo(1);
    }

    @Test
    void refuses_a_charge_without_a_key_and_a_path_that_does_not_exist() throws Exception {
        HttpResponse<String> answer = send(HttpRequest.newBuilder(provider.uri().resolve("/charges"))
                .POST(ofString(ORDER.formatted("pm_ok")))
                .build());

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body()).contains("Idempotency-Key");
        assertThat(get("/charges").statusCode()).isEqualTo(400);
        assertThat(get("/refunds").statusCode()).isEqualTo(404);
    }

    private long lines() {
        try {
            return Files.readAllLines(directory.resolve("ledger.jsonl")).size();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private HttpResponse<String> charge(String key, String method) throws Exception {
        return send(request(key, method));
    }

    private HttpResponse<String> referring(String key, String reference) throws Exception {
        String order = ORDER.formatted("pm_ok").replace("}", ",\"reference\":" + reference + "}");
        return send(request(key).POST(ofString(order)).build());
    }

    private static String quoted(String text) {
        return '"' + text + '"';
    }

    private HttpResponse<String> get(String path) throws Exception {
        URI uri = URI.create(provider.uri() + path);
        return send(HttpRequest.newBuilder(uri).build());
    }

    private HttpResponse<String> send(HttpRequest request) throws Exception {
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String key, String method) {
        return request(key).POST(ofString(ORDER.formatted(method))).build();
    }

    private HttpRequest.Builder request(String key) {
        return HttpRequest.newBuilder(provider.uri().resolve("/charges")).header("Idempotency-Key", key);
    }
}

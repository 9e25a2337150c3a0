package dev.semel.examples.payments;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.examples.payments.provider.Provider;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("The payments application")
class PaymentsTest {

    private static final int MANY = 64;

    @TempDir
    static Path directory;

    private static Provider provider;
    private static Books books;
    private static Service service;
    private static Api api;

    private final String key = UUID.randomUUID().toString();
    private int chargesBefore;

    @BeforeAll
    static void start() throws IOException {
        books = new Books(directory.resolve("provider"));
        provider = Provider.start(0, books.providerDirectory());
        service = Service.start("sqlite:" + directory.resolve("semel.db"), provider.uri());
        api = service.api();
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        provider.close();
    }

    @BeforeEach
    void count() {
        chargesBefore = books.charges();
    }

    private int charges() {
        return books.charges() - chargesBefore;
    }

    @Test
    void takes_a_payment_and_shows_it_to_its_account() {
        HttpResponse<String> created = api.pay(key, Api.ORDER);

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(Api.isReplay(created)).isFalse();
        JsonNode payment = json(created);
        assertThat(payment.path("status").asString()).isEqualTo("succeeded");
        assertThat(payment.path("customerId").asString()).isEqualTo("cus_1");
        assertThat(payment.path("amountCents").asLong()).isEqualTo(1999);
        assertThat(payment.path("currency").asString()).isEqualTo("EUR");
        String location = Api.header(created, "Location");
        assertThat(location).isEqualTo("/payments/" + payment.path("paymentId").asString());
        assertThat(api.get(location).body()).isEqualTo(created.body());
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void replays_status_headers_and_bytes() {
        HttpResponse<String> first = api.pay(key, Api.ORDER);
        HttpResponse<String> second = api.pay(key, Api.ORDER);

        assertReplay(second, first);
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void keeps_the_payments_of_an_account_from_others() {
        String location = Api.header(api.pay(key, Api.ORDER), "Location");

        HttpResponse<String> answer = api.as("globex").get(location);

        assertProblem(answer, 404, "payment_not_found");
        assertProblem(api.get("/payments/pay_none"), 404, "payment_not_found");
    }

    @Test
    void lets_two_accounts_use_one_key() {
        HttpResponse<String> acme = api.pay(key, Api.ORDER);
        HttpResponse<String> globex = api.as("globex").pay(key, Api.ORDER);

        assertThat(globex.statusCode()).isEqualTo(201);
        assertThat(Api.isReplay(globex)).isFalse();
        assertThat(globex.body()).isNotEqualTo(acme.body());
        assertThat(charges()).isEqualTo(2);
    }

    @Test
    void refuses_requests_without_an_api_key_before_anything_is_replayed() {
        api.pay(key, Api.ORDER);

        for (Optional<String> authorization : List.of(
                Optional.<String>empty(),
                Optional.of("Bearer sk_test_initech"),
                Optional.of("Basic c2tfdGVzdF9hY21lOg=="))) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(api.base() + "/payments"))
                    .header("Idempotency-Key", key)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(Api.ORDER));
            authorization.ifPresent(value -> request.header("Authorization", value));
            HttpResponse<String> answer = Api.send(request.build());

            assertProblem(answer, 401, "unauthorized");
            assertThat(Api.header(answer, "WWW-Authenticate")).startsWith("Bearer");
        }
    }

    @Test
    void requires_a_key() {
        assertProblem(api.send("POST", "/payments", null, Api.ORDER), 400, "idempotency_key_missing");
        assertThat(charges()).isZero();
    }

    @Test
    void refuses_a_malformed_key_and_a_repeated_one() {
        assertProblem(api.pay("k".repeat(256), Api.ORDER), 400, "idempotency_key_invalid");
        HttpRequest twice = api.request("POST", "/payments", key, Api.ORDER)
                .header("Idempotency-Key", key)
                .build();
        assertProblem(Api.send(twice), 400, "idempotency_key_invalid");
        assertThat(charges()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"amountCents\":1,\"currency\":\"EUR\"} | customerId",
                "{\"customerId\":\"\",\"amountCents\":1,\"currency\":\"EUR\"} | customerId",
                "{\"customerId\":\"c\",\"currency\":\"EUR\"} | amountCents",
                "{\"customerId\":\"c\",\"amountCents\":0,\"currency\":\"EUR\"} | amountCents",
                "{\"customerId\":\"c\",\"amountCents\":-5,\"currency\":\"EUR\"} | amountCents",
                "{\"customerId\":\"c\",\"amountCents\":1.5,\"currency\":\"EUR\"} | amountCents",
                "{\"customerId\":\"c\",\"amountCents\":1e999999999,\"currency\":\"EUR\"} | amountCents",
                "{\"customerId\":\"c\",\"amountCents\":\"1\",\"currency\":\"EUR\"} | amountCents",
                "{\"customerId\":\"c\",\"amountCents\":[1],\"currency\":\"EUR\"} | amountCents",
                "{\"customerId\":\"c\",\"amountCents\":1,\"currency\":\"eur\"} | currency",
                "{\"customerId\":\"c\",\"amountCents\":1,\"currency\":\"EURO\"} | currency",
                "{\"customerId\":\"c\",\"amountCents\":1,\"currency\":\"EUR\",\"paymentMethod\":\"pm_gold\"} | paymentMethod",
            })
    void names_the_field_that_is_wrong(String body, String field) {
        HttpResponse<String> answer = api.pay(key, body);

        assertProblem(answer, 400, "invalid_request");
        assertThat(json(answer).path("errors").propertyNames()).containsExactly(field);
        assertThat(charges()).isZero();
    }

    @Test
    void names_all_fields_that_are_wrong() {
        assertThat(json(api.pay(key, "{}")).path("errors").propertyNames())
                .containsExactly("customerId", "amountCents", "currency");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{", "null", "1", "{\"customerId\":\"a\",\"customerId\":\"b\"}"})
    void refuses_a_body_that_is_not_an_object(String body) {
        assertProblem(api.pay(key, body), 400, "invalid_request");
    }

    @Test
    void refuses_a_body_that_is_not_json() {
        HttpRequest request = api.request("POST", "/payments", key, "hello")
                .setHeader("Content-Type", "text/plain")
                .build();

        assertThat(Api.send(request).statusCode()).isEqualTo(415);
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /payments, 2999",
        "POST, /payments?dry=1, 1999",
        "POST, /waiting/payments, 1999",
        "POST, /payments/, 1999",
        "POST, /elsewhere, 1999",
        "PUT, /payments, 1999",
        "PATCH, /payments, 1999",
        "DELETE, /payments, 1999"
    })
    void refuses_a_used_key_for_anything_else(String method, String path, int amountCents) {
        HttpResponse<String> first = api.pay(key, Api.ORDER);

        HttpResponse<String> other = api.send(method, path, key, Api.ORDER.replace("1999", "" + amountCents));

        assertProblem(other, 422, "idempotency_key_reused_with_different_payload");
        assertReplay(api.pay(key, Api.ORDER), first);
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void protects_every_path_and_method() {
        assertProblem(api.send("POST", "/elsewhere", null, "{}"), 400, "idempotency_key_missing");
        assertProblem(api.send("DELETE", "/payments/pay_1", null, null), 400, "idempotency_key_missing");
        assertThat(api.send("POST", "/elsewhere", key, "{}").statusCode()).isEqualTo(404);
        assertThat(api.send("DELETE", "/payments/pay_1", UUID.randomUUID().toString(), null)
                        .statusCode())
                .isEqualTo(405);
    }

    /** Spring reads the forms of some methods before the application does. */
    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "DELETE"})
    void distinguishes_forms(String method) {
        assertThat(form(method, "a=1").statusCode()).isNotEqualTo(422);

        assertProblem(form(method, "a=2"), 422, "idempotency_key_reused_with_different_payload");
    }

    private HttpResponse<String> form(String method, String body) {
        return Api.send(api.request(method, "/forms", key, body)
                .setHeader("Content-Type", "application/x-www-form-urlencoded")
                .build());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"currency\":\"EUR\",\"amountCents\":100,\"customerId\":\"c\"} | { \"customerId\": \"c\", \"amountCents\": 100, \"currency\": \"EUR\" }",
                "{\"customerId\":\"c\",\"amountCents\":1.0,\"currency\":\"EUR\"} | {\"customerId\":\"c\",\"amountCents\":1.00,\"currency\":\"EUR\"}",
                "{\"customerId\":\"c\",\"amountCents\":1e2,\"currency\":\"EUR\"} | {\"customerId\":\"c\",\"amountCents\":100,\"currency\":\"EUR\"}",
                "{\"customerId\":\"c\",\"amountCents\":5,\"currency\":\"EUR\"} | {\"customerId\":\"\\u0063\",\"amountCents\":5,\"currency\":\"EUR\"}",
            })
    void replays_another_spelling_of_the_same_request(String one, String other) {
        HttpResponse<String> first = api.pay(key, one);
        assertThat(first.statusCode()).isEqualTo(201);

        assertReplay(api.pay(key, other), first);
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void distinguishes_amounts_that_a_double_cannot() {
        String order = """
                {"customerId":"c","amountCents":%s,"currency":"EUR"}""";
        assertThat(api.pay(key, order.formatted("9007199254740993")).statusCode())
                .isEqualTo(201);

        assertProblem(
                api.pay(key, order.formatted("9007199254740992")),
                422,
                "idempotency_key_reused_with_different_payload");
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void records_and_replays_a_decline() {
        HttpResponse<String> first = api.pay(key, Api.order("pm_declined"));

        assertProblem(first, 402, "payment_declined");
        assertReplay(api.pay(key, Api.order("pm_declined")), first);
        assertThat(charges()).isZero();
    }

    @Test
    void records_and_replays_a_failure_that_the_provider_declared() {
        HttpResponse<String> first = api.pay(key, Api.order("pm_error"));

        assertProblem(first, 500, "provider_error");
        assertReplay(api.pay(key, Api.order("pm_error")), first);
        assertThat(charges()).isZero();
    }

    @Test
    void charges_once_for_many_simultaneous_duplicates() {
        List<HttpResponse<String>> answers = Api.payAtOnce(MANY, "/payments", key, Api.order("pm_slow"), api);

        List<HttpResponse<String>> paid =
                answers.stream().filter(answer -> answer.statusCode() == 201).toList();
        assertThat(paid.stream().map(HttpResponse::body).distinct()).hasSize(1);
        assertThat(answers).filteredOn(answer -> answer.statusCode() != 201).allSatisfy(answer -> {
            assertProblem(answer, 409, "idempotency_key_in_progress");
            assertThat(Api.header(answer, "Retry-After")).matches("[1-9]\\d*");
        });
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void lets_duplicates_wait_for_the_answer_where_that_is_the_policy() {
        List<HttpResponse<String>> answers = Api.payAtOnce(MANY, "/waiting/payments", key, Api.order("pm_slow"), api);

        assertThat(answers).allMatch(answer -> answer.statusCode() == 201);
        assertThat(answers.stream().map(HttpResponse::body).distinct()).hasSize(1);
        assertThat(answers.stream().filter(answer -> !Api.isReplay(answer))).hasSize(1);
        assertThat(charges()).isEqualTo(1);
    }

    @Test
    void answers_the_status_of_a_key_without_executing_anything() {
        assertThat(api.status(key).statusCode()).isEqualTo(404);
        var slow = api.payAsync("/payments", key, Api.order("pm_slow"));
        await().until(() -> api.status(key).statusCode() == 202);

        HttpResponse<String> paid = slow.join();

        assertThat(api.status(key).statusCode()).isEqualTo(201);
        assertThat(api.status(key).body()).isEqualTo(paid.body());
        assertThat(api.as("globex").status(key).statusCode()).isEqualTo(404);
        assertThat(charges()).isEqualTo(1);
    }

    private static void assertReplay(HttpResponse<String> answer, HttpResponse<String> first) {
        assertThat(Api.isReplay(answer)).isTrue();
        assertThat(answer.statusCode()).isEqualTo(first.statusCode());
        assertThat(answer.body()).isEqualTo(first.body());
        for (String name : List.of("Location", "Content-Type")) {
            assertThat(Api.header(answer, name)).isEqualTo(Api.header(first, name));
        }
    }

    private static void assertProblem(HttpResponse<String> answer, int status, String code) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        assertThat(Api.header(answer, "Content-Type")).isEqualTo("application/problem+json");
        assertThat(json(answer).path("type").asString()).endsWith(":problem:" + code);
        assertThat(json(answer).path("code").asString()).isEqualTo(code);
        assertThat(json(answer).path("status").asInt()).isEqualTo(status);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return JsonMapper.shared().readTree(answer.body());
    }
}

package dev.semel.examples.payments;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.examples.payments.provider.PaymentMethod;
import dev.semel.examples.payments.provider.Provider;
import dev.semel.examples.payments.provider.WebhookSettings;
import dev.semel.examples.payments.provider.WebhookSigner;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("An order that is paid")
class PaidOrdersTest {

    private static final int AT_ONCE = 20;

    @TempDir
    static Path directory;

    private static Provider provider;
    private static Service service;
    private static Api api;
    private static WebhookSigner signer;

    private final String key = UUID.randomUUID().toString();

    /** No reconciler: what is settled and paid here is so by the provider's answer or its webhooks. */
    @BeforeAll
    static void start() throws IOException {
        provider = Provider.start(0, directory.resolve("provider"));
        service = Service.start(
                "sqlite:" + directory.resolve("semel.db"),
                provider.uri(),
                "--payments.provider-timeout=500ms",
                "--semel.reconciler.every=1h");
        api = service.api();
        signer = WebhookSigner.of(service.bean(PaymentsProperties.class).webhookSecret());
    }

    @AfterAll
    static void stop() throws IOException {
        service.close();
        provider.close();
    }

    private String place() {
        HttpResponse<String> placed =
                api.send("POST", "/orders", key + "-order", "{\"items\":[{\"productId\":\"p-1\",\"quantity\":1}]}");
        return JsonMapper.shared().readTree(placed.body()).path("orderId").asString();
    }

    private static String payment(String orderId, String method) {
        return """
                {"customerId":"cus_1","amountCents":1999,"currency":"EUR","paymentMethod":"%s","orderId":"%s"}""".formatted(method, orderId);
    }

    private static String statusOf(String orderId) {
        return JsonMapper.shared()
                .readTree(api.get("/orders/" + orderId).body())
                .path("status")
                .asString();
    }

    private static long changesOf(String orderId) {
        return service.bean(JdbcClient.class)
                .sql("SELECT count(*) FROM order_status_change WHERE order_id = :orderId")
                .param("orderId", orderId)
                .query(Long.class)
                .single();
    }

    /** The event about the charge of this test's payment. */
    private String event(String status) {
        String chargeKey =
                service.bean(SemelEngine.class).unknownOutcomes().downstreamKey(Identity.of("acme", key), "charge");
        return """
                {"id":"evt_1","type":"charge.%2$s","createdAt":"2026-01-01T00:00:00Z","data":{"id":"ch_1","key":"%3$s",\
                "account":"acme","reference":"%1$s","customerId":"cus_1","amountCents":1999,"currency":"EUR",\
                "paymentMethod":"pm_ok","status":"%2$s","at":"2026-01-01T00:00:00Z"}}""".formatted(key, status, chargeKey);
    }

    private static HttpResponse<String> deliver(String id, String body, WebhookSigner by) {
        long now = Instant.now().getEpochSecond();
        return Api.send(HttpRequest.newBuilder(URI.create(api.base() + "/webhooks/provider"))
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(now))
                .header("webhook-signature", by.sign(id, now, body.getBytes(StandardCharsets.UTF_8)))
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @Test
    void is_marked_once_by_a_webhook_that_is_delivered_many_times_and_at_once() throws Exception {
        String orderId = place();
        assertThat(api.pay(key, payment(orderId, "pm_timeout_charged")).body()).contains("idempotency_outcome_unknown");
        assertThat(statusOf(orderId)).isEqualTo("placed");
        String event = event("succeeded");

        List<Integer> answers = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<HttpResponse<String>>> deliveries = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                // Half of them repeat the event, half tell the same under another id.
                String id = "told_" + key + (i % 2 == 0 ? "" : "_" + i);
                deliveries.add(threads.submit(() -> deliver(id, event, signer)));
            }
            for (Future<HttpResponse<String>> delivery : deliveries) {
                answers.add(delivery.get().statusCode());
            }
        } finally {
            threads.shutdown();
        }

        assertThat(answers).contains(200).isSubsetOf(200, 503);
        await().until(() -> deliver("told_" + key, event, signer).statusCode() == 200);
        assertThat(deliver("told_" + key, event, signer).body()).isEqualTo("handled before");
        assertThat(statusOf(orderId)).isEqualTo("paid");
        assertThat(changesOf(orderId)).isEqualTo(1);
        assertThat(api.pay(key, payment(orderId, "pm_timeout_charged")).statusCode())
                .isEqualTo(201);
    }

    @Test
    void stays_as_it_is_without_the_providers_signature_and_after_a_decline() {
        String orderId = place();
        assertThat(api.pay(key, payment(orderId, "pm_timeout_not_charged")).statusCode())
                .isEqualTo(409);

        WebhookSigner forger = WebhookSigner.of("whsec_Zm9yZ2VkIGZvcmdlZCBmb3JnZWQgZm9yZ2Vk");
        assertThat(deliver("forged_" + key, event("succeeded"), forger).statusCode())
                .isEqualTo(401);
        assertThat(deliver("told_" + key, event("declined"), signer).statusCode())
                .isEqualTo(200);

        assertThat(statusOf(orderId)).isEqualTo("placed");
        assertThat(changesOf(orderId)).isZero();
    }

    @Test
    void is_marked_once_by_the_answer_and_the_webhooks_of_the_provider() throws Exception {
        provider.sendWebhooks(WebhookSettings.to(api.base() + "/webhooks/provider", signer)
                .backoff(Duration.ofMillis(100))
                .duplicate(true)
                // The other tests tell of these charges themselves.
                .silentFor(PaymentMethod.PM_TIMEOUT_CHARGED)
                .silentFor(PaymentMethod.PM_TIMEOUT_NOT_CHARGED));
        String orderId = place();

        assertThat(api.pay(key, payment(orderId, "pm_ok")).statusCode()).isEqualTo(201);

        assertThat(statusOf(orderId)).isEqualTo("paid");
        JdbcClient jdbc = service.bean(JdbcClient.class);
        await().until(() -> jdbc.sql("""
                        SELECT count(*) FROM semel_record
                        WHERE scope = 'webhook/provider' AND state = 'completed' AND key LIKE 'evt%'""").query(Long.class).single() > 0);
        assertThat(changesOf(orderId)).isEqualTo(1);
    }

    @Test
    void that_was_shipped_meanwhile_is_not_moved_back() {
        String orderId = place();
        assertThat(api.pay(key, payment(orderId, "pm_timeout_charged")).statusCode())
                .isEqualTo(409);
        api.send("PUT", "/orders/" + orderId + "/status", key + "-shipped", "{\"status\":\"shipped\"}");

        assertThat(deliver("told_" + key, event("succeeded"), signer).statusCode())
                .isEqualTo(200);

        assertThat(statusOf(orderId)).isEqualTo("shipped");
        assertThat(changesOf(orderId)).isEqualTo(1);
    }

    @Test
    void cannot_be_paid_again_nor_by_another_account() {
        String orderId = place();
        assertThat(api.as("globex").pay(key, payment(orderId, "pm_ok")).statusCode())
                .isEqualTo(400);
        assertThat(api.pay(key, payment(orderId, "pm_ok")).statusCode()).isEqualTo(201);

        HttpResponse<String> again = api.pay(key + "-again", payment(orderId, "pm_ok"));

        assertThat(again.statusCode()).isEqualTo(400);
        assertThat(again.body()).contains("orderId");
        assertThat(changesOf(orderId)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ord_none", "", "p\\u0000"})
    void must_exist(String orderId) {
        HttpResponse<String> refused = api.pay(key, payment(orderId, "pm_ok"));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).contains("orderId");
    }
}

package dev.semel.examples.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Identity;
import dev.semel.engine.SemelEngine;
import dev.semel.examples.payments.provider.Provider;
import dev.semel.examples.payments.provider.ProviderSettings;
import dev.semel.examples.payments.provider.WebhookSettings;
import dev.semel.examples.payments.provider.WebhookSigner;
import dev.semel.reconcile.Evidence;
import dev.semel.reconcile.StoredRecord;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A payment whose answer got lost")
class UnknownPaymentsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Long after the caller has given up, and well within the settle window. */
    private static final Duration LATE_BY = Duration.ofSeconds(2);

    @TempDir
    Path directory;

    private Books books;
    private Provider provider;
    private Service service;
    private Api api;

    @BeforeEach
    void startProvider() throws IOException {
        books = new Books(directory.resolve("provider"));
        provider = Provider.start(
                0, books.providerDirectory(), ProviderSettings.defaults().lateBy(LATE_BY));
    }

    @AfterEach
    void stop() throws IOException {
        service.close();
        provider.close();
    }

    private void startService(String reconcileEvery) {
        service = Service.start(
                "sqlite:" + directory.resolve("semel.db"),
                provider.uri(),
                "--payments.provider-timeout=500ms",
                "--semel.defaults.reconcile.settle-window=5s",
                "--semel.reconciler.every=" + reconcileEvery);
        api = service.api();
    }

    private void sendWebhooks() {
        String secret = service.bean(PaymentsProperties.class).webhookSecret();
        provider.sendWebhooks(WebhookSettings.to(api.base() + "/webhooks/provider", WebhookSigner.of(secret))
                .backoff(Duration.ofMillis(200))
                .duplicate(true));
    }

    private static void assertUnknown(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains("\"code\":\"idempotency_outcome_unknown\"");
    }

    private HttpResponse<String> awaitPaid(String key, String method) {
        return await().atMost(PATIENCE)
                .until(() -> api.pay(key, Api.order(method)), answer -> answer.statusCode() == 201);
    }

    private Evidence evidenceOf(String key) {
        return service.bean(SemelEngine.class)
                .find(Identity.of("acme", key))
                .map(StoredRecord::evidence)
                .orElseThrow();
    }

    @Test
    void is_settled_by_the_resolver_when_it_was_charged() {
        startService("100ms");
        assertUnknown(api.pay("k1", Api.order("pm_timeout_charged")));

        HttpResponse<String> paid = awaitPaid("k1", "pm_timeout_charged");

        assertThat(Api.isReplay(paid)).isTrue();
        assertThat(evidenceOf("k1").source()).isEqualTo("resolver:create-payment");
        assertThat(api.get(Api.header(paid, "Location")).body()).isEqualTo(paid.body());
        assertThat(api.pay("k1", Api.order("pm_timeout_charged")).body()).isEqualTo(paid.body());
        assertThat(books.charges()).isEqualTo(1);
    }

    @Test
    void is_settled_by_a_webhook_that_is_sent_twice() {
        startService("1h");
        sendWebhooks();
        assertUnknown(api.pay("k1", Api.order("pm_timeout_charged")));

        HttpResponse<String> paid = awaitPaid("k1", "pm_timeout_charged");

        assertThat(Api.isReplay(paid)).isTrue();
        assertThat(evidenceOf("k1").source()).isEqualTo("provider-webhook");
        assertThat(api.get(Api.header(paid, "Location")).body()).isEqualTo(paid.body());
        assertThat(books.charges()).isEqualTo(1);
    }

    @Test
    void is_never_charged_twice_when_the_charge_is_late() {
        startService("100ms");
        assertUnknown(api.pay("k1", Api.order("pm_late")));
        assertThat(books.charges())
                .as("not charged yet, when the caller gives up")
                .isZero();

        HttpResponse<String> paid = awaitPaid("k1", "pm_late");

        assertThat(Api.isReplay(paid)).isTrue();
        assertThat(books.charges()).isEqualTo(1);
    }

    @Test
    void is_executed_by_a_retry_when_it_was_not_charged_by_the_end_of_the_settle_window() {
        startService("100ms");
        assertUnknown(api.pay("k1", Api.order("pm_timeout_not_charged")));
        assertUnknown(api.pay("k1", Api.order("pm_timeout_not_charged")));
        assertThat(books.charges()).isZero();

        HttpResponse<String> paid = awaitPaid("k1", "pm_timeout_not_charged");

        assertThat(Api.isReplay(paid)).isFalse();
        assertThat(books.charges()).isEqualTo(1);
        assertThat(service.bean(SemelEngine.class)
                        .unknownOutcomes()
                        .history(Identity.of("acme", "k1"))
                        .toString())
                .contains("the provider has no such charge");
    }
}

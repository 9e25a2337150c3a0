package dev.semel.examples.payments;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Identity;
import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.examples.payments.provider.Provider;
import dev.semel.examples.payments.provider.WebhookSigner;
import dev.semel.reconcile.Verdict;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The receiver of the provider's webhooks")
class ProviderWebhookTest {

    private static final String EVENT = """
            {"id":"evt_1","type":"charge.%2$s","createdAt":"2026-01-01T00:00:00Z","data":{"id":"ch_1","key":"%3$s",\
            "account":"acme","reference":"%1$s","customerId":"cus_1","amountCents":1999,"currency":"EUR",\
            "paymentMethod":"pm_ok","status":"%2$s","at":"2026-01-01T00:00:00Z"}}""";

    @TempDir
    static Path directory;

    private static Provider provider;
    private static Service service;
    private static Api api;
    private static WebhookSigner signer;

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

    private static String event(String reference, String status) {
        String key = service.bean(SemelEngine.class)
                .unknownOutcomes()
                .downstreamKey(Identity.of("acme", reference), "charge");
        return EVENT.formatted(reference, status, key);
    }

    private static long now() {
        return Instant.now().getEpochSecond();
    }

    /** Each event has its own id, derived from its content. */
    private static String idOf(String body) {
        return "evt_" + Integer.toHexString(body.hashCode());
    }

    private static String sign(long timestamp, String body) {
        return signer.sign(idOf(body), timestamp, body.getBytes(StandardCharsets.UTF_8));
    }

    private static HttpResponse<String> deliver(String body) {
        return deliver(idOf(body), body);
    }

    private static HttpResponse<String> deliver(String id, String body) {
        long now = now();
        return deliver(id, body, now, signer.sign(id, now, body.getBytes(StandardCharsets.UTF_8)));
    }

    private static HttpResponse<String> deliver(String id, String body, long timestamp, String signature) {
        return Api.send(HttpRequest.newBuilder(URI.create(api.base() + "/webhooks/provider"))
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", Long.toString(timestamp))
                .header("webhook-signature", signature)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    @Test
    void settles_a_decline_as_an_answer() {
        assertThat(api.pay("declined", Api.order("pm_timeout_not_charged")).body())
                .contains("idempotency_outcome_unknown");

        assertThat(deliver(event("declined", "declined")).statusCode()).isEqualTo(200);

        HttpResponse<String> retry = api.pay("declined", Api.order("pm_timeout_not_charged"));
        assertThat(retry.statusCode()).isEqualTo(402);
        assertThat(Api.isReplay(retry)).isTrue();
        assertThat(Api.header(retry, "Content-Type")).startsWith("application/problem+json");
        assertThat(retry.body()).contains("\"code\":\"payment_declined\"");
    }

    @Test
    void refuses_events_without_a_valid_signature() {
        assertThat(api.pay("unsigned", Api.order("pm_timeout_not_charged")).statusCode())
                .isEqualTo(409);
        String body = event("unsigned", "succeeded");
        String id = idOf(body);
        long now = now();
        long longAgo = now - 3600;

        assertThat(deliver(id, body, now, "v1,bm90IHRoZSBzaWduYXR1cmU=").statusCode())
                .isEqualTo(401);
        assertThat(deliver(id, body, now, "").statusCode()).isEqualTo(401);
        assertThat(deliver(id, body + " ", now, sign(now, body)).statusCode()).isEqualTo(401);
        assertThat(deliver(id, body, longAgo, sign(longAgo, body)).statusCode()).isEqualTo(401);

        assertThat(api.pay("unsigned", Api.order("pm_timeout_not_charged")).statusCode())
                .isEqualTo(409);
    }

    @Test
    void ignores_another_charge_with_the_same_reference() {
        assertThat(api.pay("foreign", Api.order("pm_timeout_not_charged")).statusCode())
                .isEqualTo(409);

        assertThat(deliver(EVENT.formatted("foreign", "succeeded", "another-key"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(deliver(event("foreign", "pending")).statusCode()).isEqualTo(200);

        assertThat(api.pay("foreign", Api.order("pm_timeout_not_charged")).statusCode())
                .isEqualTo(409);
    }

    @Test
    void ignores_a_reference_that_is_not_a_key() {
        assertThat(deliver(EVENT.formatted("x".repeat(900), "succeeded", "key")).statusCode())
                .isEqualTo(200);
    }

    @Test
    void refuses_an_event_that_contradicts_the_settled_outcome() {
        assertThat(api.pay("too-late", Api.order("pm_timeout_not_charged")).statusCode())
                .isEqualTo(409);
        Identity identity = Identity.of("acme", "too-late");
        service.bean(SemelEngine.class)
                .settle(
                        Operation.named("create-payment"),
                        identity,
                        new Verdict.DidNotHappen("too soon"),
                        "person:test");

        assertThat(deliver(event("too-late", "succeeded")).statusCode()).isEqualTo(503);
    }

    @Test
    void accepts_one_valid_signature_among_several() {
        String body = event("unused-key", "succeeded");
        long now = now();

        assertThat(deliver(idOf(body), body, now, "v1,b2xk " + sign(now, body)).statusCode())
                .isEqualTo(200);
    }

    @Test
    void handles_an_event_once_and_accepts_its_repetition() {
        assertThat(api.pay("heard", Api.order("pm_timeout_not_charged")).statusCode())
                .isEqualTo(409);
        String body = event("heard", "declined");

        assertThat(deliver(body).body()).isEqualTo("handled");
        assertThat(deliver(body).body()).isEqualTo("handled before");
        assertThat(deliver(idOf(body), event("heard", "succeeded")).statusCode())
                .isEqualTo(422);

        assertThat(api.pay("heard", Api.order("pm_timeout_not_charged")).statusCode())
                .isEqualTo(402);
    }

    @Test
    void answers_400_to_a_signed_body_that_is_no_event() {
        assertThat(deliver("not json").statusCode()).isEqualTo(400);
        assertThat(deliver("{}").statusCode()).isEqualTo(400);
        assertThat(deliver("{\"data\":{\"id\":7}}").statusCode()).isEqualTo(400);
    }

    @Test
    void refuses_an_event_while_its_payment_is_running() {
        var running = api.payAsync("/payments", "running", Api.order("pm_timeout_charged"));
        await().until(() -> api.status("running").statusCode() == 202);

        HttpResponse<String> early = deliver(event("running", "succeeded"));

        assertThat(running.join().statusCode()).isEqualTo(409);
        assertThat(early.statusCode()).isIn(503, 200);
        await().until(() -> deliver(event("running", "succeeded")).statusCode() == 200);
        assertThat(api.pay("running", Api.order("pm_timeout_charged")).statusCode())
                .isEqualTo(201);
    }

    @Test
    void does_not_bypass_authentication() {
        for (String path : new String[] {"/webhooks/../payments/x", "/webhooks/provider/../../payments/x"}) {
            HttpResponse<String> answer = Api.send(
                    HttpRequest.newBuilder(URI.create(api.base() + path)).build());
            assertThat(answer.statusCode()).as(path).isIn(400, 401, 404);
        }
    }
}

package dev.semel.examples.payments.provider;

import static dev.semel.examples.payments.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("A webhook")
class WebhooksTest {

    private static final byte[] SECRET = "a secret of thirty-two bytes: ok".getBytes(StandardCharsets.US_ASCII);

    private static final WebhookSigner SIGNER =
            WebhookSigner.of("whsec_" + Base64.getEncoder().encodeToString(SECRET));

    /** Short even after five doublings. */
    private static final Duration BACKOFF = Duration.ofMillis(5);

    private static final ProviderSettings SETTINGS = ProviderSettings.defaults().lateBy(Duration.ofMillis(200));

    @TempDir
    Path directory;

    private RunningProvider provider;

    @BeforeEach
    void start() throws IOException {
        provider = RunningProvider.start(directory, SETTINGS);
    }

    @AfterEach
    void stop() throws IOException {
        provider.close();
    }

    @Test
    void announces_a_charge_with_its_whole_entry() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider().sendWebhooks(to(receiver));
            JsonNode charged =
                    json(provider.chargeReferring("k1", "\"acme/order-1 – ü\"").body());

            await().until(() -> receiver.deliveries().size() == 1);
            Receiver.Delivery delivery = receiver.deliveries().get(0);
            JsonNode event = delivery.event();
            assertThat(event.propertyNames()).containsExactly("id", "type", "createdAt", "data");
            assertThat(event.path("id").stringValue()).isEqualTo(delivery.id()).matches("evt_[-0-9a-f]+");
            assertThat(event.path("type").stringValue()).isEqualTo("charge.succeeded");
            assertThat(Instant.parse(event.path("createdAt").stringValue())).isBeforeOrEqualTo(Instant.now());
            assertThat(event.path("data")).isEqualTo(charged);
            assertThat(charged.path("account").stringValue()).isEqualTo("acme");
            assertThat(charged.path("reference").stringValue()).isEqualTo("acme/order-1 – ü");
            assertThat(delivery.contentType()).isEqualTo("application/json");
            assertSigned(delivery);
        }
    }

    @Test
    void announces_a_decline() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider().sendWebhooks(to(receiver));
            JsonNode declined = json(provider.charge("k1", "pm_declined").body());

            await().until(() -> receiver.deliveries().size() == 1);
            Receiver.Delivery delivery = receiver.deliveries().get(0);
            assertThat(delivery.event().path("type").stringValue()).isEqualTo("charge.declined");
            assertThat(delivery.event().path("data")).isEqualTo(declined);
            assertSigned(delivery);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"pm_slow", "pm_timeout_charged", "pm_late"})
    void announces_a_charge_whose_caller_disconnected(String method) throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider().sendWebhooks(to(receiver));
            provider.chargeAndHangUp("k1", method);

            await().until(() -> receiver.deliveries().size() == 1);
            assertThat(receiver.deliveries().get(0).event().path("data"))
                    .isEqualTo(json(provider.get("/charges?key=k1").body()));
        }
    }

    @Test
    void announces_only_entries_of_the_ledger() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider().sendWebhooks(to(receiver));
            provider.charge("k1", "pm_error");
            provider.chargeAsync("k2", "pm_timeout_not_charged");
            await().until(() -> provider.dropped() == 1);
            provider.charge("k3", "pm_ok");

            await().until(() -> receiver.keys().toList().contains("k3"));
            assertThat(receiver.keys()).containsExactly("k3");

            provider.charge("k2", "pm_timeout_not_charged");
            await().until(() -> receiver.keys().toList().contains("k2"));
        }
    }

    @Test
    void announces_a_repeated_key_once() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider().sendWebhooks(to(receiver));
            provider.charge("k1", "pm_ok");
            provider.charge("k1", "pm_ok");
            provider.charge("k1", "pm_late");
            provider.charge("k2", "pm_ok");

            await().until(() -> receiver.keys().toList().contains("k2"));
            assertThat(receiver.keys()).containsExactlyInAnyOrder("k1", "k2");
        }
    }

    @Test
    void is_sent_again_with_the_same_id_until_it_is_accepted() throws Exception {
        try (Receiver receiver = Receiver.accepting(500, 404, 302, Receiver.HANG_UP)) {
            provider.provider().sendWebhooks(to(receiver));
            provider.charge("k1", "pm_ok");
            await().until(() -> receiver.deliveries().size() == 5);
            provider.charge("k2", "pm_ok");

            await().until(() -> receiver.keys().toList().contains("k2"));
            var first = receiver.deliveries().subList(0, 5);
            assertThat(receiver.deliveries()).hasSize(6).allSatisfy(WebhooksTest::assertSigned);
            assertThat(first)
                    .extracting(Receiver.Delivery::id)
                    .containsOnly(first.get(0).id());
            assertThat(first)
                    .extracting(Receiver.Delivery::body)
                    .containsOnly(first.get(0).body());
            assertThat(receiver.deliveries().get(5).id())
                    .isNotEqualTo(first.get(0).id());
        }
    }

    @Test
    void is_given_up_after_six_times() throws Exception {
        try (Receiver receiver = Receiver.always(500)) {
            provider.provider().sendWebhooks(to(receiver));
            provider.charge("k1", "pm_ok");
            await().until(() -> receiver.keys().filter("k1"::equals).count() == 6);
            provider.charge("k2", "pm_ok");

            await().until(() -> receiver.keys().filter("k2"::equals).count() == 6);
            assertThat(receiver.deliveries()).hasSize(12);
        }
    }

    @Test
    void keeps_no_caller_waiting_for_a_receiver_that_does_not_answer() throws Exception {
        try (Receiver receiver = Receiver.always(Receiver.NEVER)) {
            provider.provider().sendWebhooks(to(receiver));

            assertThat(provider.charge("k1", "pm_ok").statusCode()).isEqualTo(201);
            assertThat(provider.charge("k2", "pm_declined").statusCode()).isEqualTo(402);
            await().until(() -> receiver.deliveries().size() == 2);
        }
    }

    @Test
    void fails_no_charge_when_it_cannot_be_delivered() throws Exception {
        int unused;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            unused = socket.getLocalPort();
        }
        provider.provider()
                .sendWebhooks(WebhookSettings.to("http://127.0.0.1:" + unused + "/", SIGNER)
                        .backoff(BACKOFF));

        assertThat(provider.charge("k1", "pm_ok").statusCode()).isEqualTo(201);
        assertThat(provider.charges()).isEqualTo(1);
    }

    @Test
    void is_sent_twice_where_configured() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider().sendWebhooks(to(receiver).duplicate(true));
            provider.charge("k1", "pm_ok");

            await().until(() -> receiver.deliveries().size() == 2);
            assertThat(receiver.deliveries())
                    .allSatisfy(WebhooksTest::assertSigned)
                    .extracting(Receiver.Delivery::id)
                    .containsOnly(receiver.deliveries().get(0).id());
        }
    }

    @Test
    void is_sent_after_the_configured_delay() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider().sendWebhooks(to(receiver).delay(Duration.ofHours(1)));
            provider.charge("k1", "pm_ok");
            provider.provider().sendWebhooks(to(receiver).delay(Duration.ofMillis(100)));
            provider.charge("k2", "pm_ok");

            await().until(() -> !receiver.deliveries().isEmpty());
            assertThat(receiver.keys()).containsExactly("k2");
        }
    }

    @Test
    void is_not_sent_for_a_silent_method() throws Exception {
        try (Receiver receiver = Receiver.accepting()) {
            provider.provider()
                    .sendWebhooks(to(receiver)
                            .silentFor(PaymentMethod.PM_TIMEOUT_CHARGED)
                            .silentFor(PaymentMethod.PM_DECLINED));
            provider.chargeAndHangUp("k1", "pm_timeout_charged");
            await().until(() -> provider.charges() == 1);
            provider.charge("k2", "pm_declined");
            provider.charge("k3", "pm_ok");

            await().until(() -> !receiver.deliveries().isEmpty());
            assertThat(receiver.keys()).containsExactly("k3");
        }
    }

    @Test
    void is_sent_from_the_start_where_configured_but_not_for_earlier_entries() throws Exception {
        provider.charge("k1", "pm_ok");
        provider.stop();
        try (Receiver receiver = Receiver.accepting()) {
            provider.start(SETTINGS.webhooks(to(receiver)));
            provider.charge("k1", "pm_ok");
            provider.charge("k2", "pm_ok");

            await().until(() -> !receiver.deliveries().isEmpty());
            assertThat(receiver.keys()).containsExactly("k2");
        }
    }

    private static WebhookSettings to(Receiver receiver) {
        return WebhookSettings.to(receiver.url(), SIGNER).backoff(BACKOFF);
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    /** Verifies the signature like a receiver, without the code that signed. */
    private static void assertSigned(Receiver.Delivery delivery) throws Exception {
        long age = Instant.now().getEpochSecond() - Long.parseLong(delivery.timestamp());
        assertThat(age).as("seconds since it was signed").isBetween(0L, 300L);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(SECRET, "HmacSHA256"));
        byte[] expected = mac.doFinal(
                (delivery.id() + '.' + delivery.timestamp() + '.' + delivery.body()).getBytes(StandardCharsets.UTF_8));
        assertThat(delivery.signature()).startsWith("v1,");
        assertThat(Base64.getDecoder().decode(delivery.signature().substring(3)))
                .isEqualTo(expected);
    }
}

package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.messaging.MessageIdentity;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The signature scheme")
class WebhookSchemesTest {

    private static final Verification FORGED = new Verification.Forged();

    private static WebhookRequest request(String body, Map<String, String> headers) {
        Map<String, List<String>> lists = new HashMap<>();
        headers.forEach((name, value) -> lists.put(name, List.of(value)));
        return new WebhookRequest(lists, body.getBytes(UTF_8));
    }

    @Nested
    @DisplayName("of Standard Webhooks")
    class Standard {

        /** The vector of the specification's reference libraries. */
        private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

        private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        private static final String TIMESTAMP = "1614265330";
        private static final String BODY = "{\"test\": 2432232314}";
        private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

        private static final String OTHER = "whsec_c2VtZWwgZXhhbXBsZSBzZWNyZXQgZm9yIHdlYmhvb2tz";

        private final StandardWebhooks scheme = StandardWebhooks.signedWith(SECRET);
        private final Verification genuine = new Verification.Genuine(Instant.ofEpochSecond(1614265330));

        private Verification verify(String id, String timestamp, String signature, String body) {
            return scheme.verify(request(
                    body, Map.of("webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", signature)));
        }

        @Test
        void accepts_the_reference_vector_and_makes_it() {
            assertThat(verify(ID, TIMESTAMP, SIGNATURE, BODY)).isEqualTo(genuine);
            assertThat(scheme.sign(ID, Instant.ofEpochSecond(1614265330), BODY.getBytes(UTF_8)))
                    .isEqualTo(
                            Map.of("webhook-id", ID, "webhook-timestamp", TIMESTAMP, "webhook-signature", SIGNATURE));
        }

        @Test
        void finds_headers_in_any_case() {
            assertThat(scheme.verify(request(
                            BODY,
                            Map.of("Webhook-Id", ID, "WEBHOOK-TIMESTAMP", TIMESTAMP, "Webhook-Signature", SIGNATURE))))
                    .isEqualTo(genuine);
        }

        @Test
        void refuses_another_body_id_or_time() {
            assertThat(verify(ID, TIMESTAMP, SIGNATURE, BODY + " ")).isEqualTo(FORGED);
            assertThat(verify(ID, TIMESTAMP, SIGNATURE, BODY.substring(0, 10))).isEqualTo(FORGED);
            assertThat(verify(ID + "x", TIMESTAMP, SIGNATURE, BODY)).isEqualTo(FORGED);
            assertThat(verify(ID, "1614265331", SIGNATURE, BODY)).isEqualTo(FORGED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "v1,",
                    "v1",
                    "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                    "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1O",
                    "v1,not Base64!",
                    "v1a,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                    "v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
                })
        void refuses_a_malformed_signature(String signature) {
            assertThat(verify(ID, TIMESTAMP, signature, BODY)).isEqualTo(FORGED);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "+1614265330", "-1", " 1614265330", "1614265330.0", "99999999999999999999", "١"})
        void refuses_a_malformed_timestamp(String timestamp) {
            Map<String, String> headers = new HashMap<>(scheme.sign(ID, Instant.EPOCH, BODY.getBytes(UTF_8)));
            headers.put("webhook-timestamp", timestamp);
            assertThat(scheme.verify(request(BODY, headers))).isEqualTo(FORGED);
        }

        @Test
        void refuses_to_read_the_same_signed_bytes_as_another_id() {
            Map<String, String> signed = scheme.sign("msg", Instant.ofEpochSecond(1614265330), "77.{}".getBytes(UTF_8));
            assertThat(verify("msg.1614265330", "77", signed.getOrDefault("webhook-signature", ""), "{}"))
                    .isEqualTo(FORGED);
        }

        @Test
        void accepts_one_valid_signature_among_several() {
            assertThat(verify(ID, TIMESTAMP, "v1,b2xk v1a,eA== " + SIGNATURE, BODY))
                    .isEqualTo(genuine);
        }

        @Test
        void refuses_a_header_that_was_sent_twice() {
            Map<String, List<String>> headers = Map.of(
                    "webhook-id", List.of(ID, "msg_other"),
                    "webhook-timestamp", List.of(TIMESTAMP),
                    "webhook-signature", List.of(SIGNATURE));
            assertThat(scheme.verify(new WebhookRequest(headers, BODY.getBytes(UTF_8))))
                    .isEqualTo(FORGED);
        }

        @Test
        void accepts_old_and_new_secrets_during_a_rotation() {
            Instant now = Instant.ofEpochSecond(1614265330);
            WebhookRequest byOld =
                    request(BODY, StandardWebhooks.signedWith(SECRET).sign(ID, now, BODY.getBytes(UTF_8)));
            WebhookRequest byNew =
                    request(BODY, StandardWebhooks.signedWith(OTHER).sign(ID, now, BODY.getBytes(UTF_8)));
            StandardWebhooks both = StandardWebhooks.signedWith(OTHER, SECRET);
            assertThat(both.verify(byOld)).isEqualTo(genuine);
            assertThat(both.verify(byNew)).isEqualTo(genuine);
            assertThat(StandardWebhooks.signedWith(OTHER).verify(byOld)).isEqualTo(FORGED);
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_c2hvcnQ=", "whsec_§§§"})
        void refuses_a_malformed_secret_without_showing_it(String secret) {
            assertThatThrownBy(() -> StandardWebhooks.signedWith(secret))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContainingAny("MfKQ", "c2hv", "§");
        }
    }

    @Nested
    @DisplayName("of Stripe")
    class Stripe {

        private static final String SECRET = "whsec_test_secret";
        private static final String BODY = """
                {"id":"evt_1PqR","object":"event","type":"invoice.paid","created":1492774577,"livemode":true,\
                "pending_webhooks":2,"data":{"object":{"id":"in_1","amount_paid":1999}}}""";

        /** Computed with OpenSSL: {@code printf '1492774577.%s' BODY | openssl dgst -sha256 -hmac whsec_test_secret}. */
        private static final String SIGNATURE = "eca8f4bd16b7b78ddac48b43b19b61e9b68ca3823aa6dcd48ab67db8920abd77";

        private final StripeWebhooks scheme = StripeWebhooks.signedWith(SECRET);
        private final Verification genuine = new Verification.Genuine(Instant.ofEpochSecond(1492774577));

        private Verification verify(String header, String body) {
            return scheme.verify(request(body, Map.of("Stripe-Signature", header)));
        }

        private MessageIdentity identity(String body) {
            return scheme.identity(request(body, Map.of()));
        }

        @Test
        void accepts_a_signature_of_another_implementation() {
            assertThat(verify("t=1492774577,v1=" + SIGNATURE, BODY)).isEqualTo(genuine);
        }

        @Test
        void checks_every_signature_of_the_supported_version() {
            assertThat(verify("t=1492774577,v1=00,v1=" + SIGNATURE + ",v0=6ffb", BODY))
                    .isEqualTo(genuine);
            assertThat(verify("t=1492774577,v0=" + SIGNATURE, BODY)).isEqualTo(FORGED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "v1=" + SIGNATURE,
                    "t=1492774577",
                    "t=1492774577,v1=",
                    "t=1492774577,v1=zz",
                    "t=1492774578,v1=" + SIGNATURE,
                    "t=1492774577,t=1492774577,v1=" + SIGNATURE
                })
        void refuses_a_malformed_signature(String header) {
            assertThat(verify(header, BODY)).isEqualTo(FORGED);
        }

        @Test
        void refuses_another_body() {
            assertThat(verify("t=1492774577,v1=" + SIGNATURE, BODY + "\n")).isEqualTo(FORGED);
        }

        @Test
        void identifies_events_by_the_id_in_their_body_and_ignores_the_delivery_count() {
            assertThat(identity(BODY).key().value()).isEqualTo("evt_1PqR");
            assertThat(identity(BODY.replace("\"pending_webhooks\":2", "\"pending_webhooks\":1")))
                    .isEqualTo(identity(BODY));
            assertThat(identity(BODY.replace("1999", "9999")).fingerprint())
                    .isNotEqualTo(identity(BODY).fingerprint());
        }

        @ParameterizedTest
        @ValueSource(strings = {"", "{}", "{\"id\":7}", "{\"id\":null}", "not json", "{\"id\":\"\"}"})
        void finds_no_event_in_a_body_without_an_id(String body) {
            assertThatThrownBy(() -> identity(body)).isInstanceOf(IllegalArgumentException.class);
        }

        @Test
        void finds_no_event_in_a_body_that_is_too_deep() {
            assertThatThrownBy(() -> identity("{\"id\":" + "[".repeat(1000)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Nested
    @DisplayName("of GitHub")
    class GitHub {

        /** The example of GitHub's documentation. */
        private static final String SECRET = "It's a Secret to Everybody";

        private static final String BODY = "Hello, World!";
        private static final String SIGNATURE =
                "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";

        private final GitHubWebhooks scheme = GitHubWebhooks.signedWith(SECRET);

        private Verification verify(String signature, String body) {
            return scheme.verify(request(body, Map.of("X-Hub-Signature-256", signature)));
        }

        @Test
        void accepts_the_documented_example() {
            assertThat(verify(SIGNATURE, BODY)).isEqualTo(new Verification.Genuine(null));
        }

        @Test
        void refuses_everything_else() {
            assertThat(verify(SIGNATURE, "Hello, World")).isEqualTo(FORGED);
            assertThat(verify(SIGNATURE.substring(7), BODY)).isEqualTo(FORGED);
            assertThat(verify("sha1=" + SIGNATURE.substring(7), BODY)).isEqualTo(FORGED);
            assertThat(verify(SIGNATURE.substring(0, 69), BODY)).isEqualTo(FORGED);
            assertThat(scheme.verify(request(BODY, Map.of()))).isEqualTo(FORGED);
        }

        @Test
        void accepts_old_and_new_secrets_during_a_rotation() {
            WebhookRequest request = request(BODY, Map.of("X-Hub-Signature-256", SIGNATURE));
            assertThat(GitHubWebhooks.signedWith("new", SECRET).verify(request))
                    .isInstanceOf(Verification.Genuine.class);
            assertThat(GitHubWebhooks.signedWith("new").verify(request)).isEqualTo(FORGED);
        }

        @Test
        void can_identify_events_by_their_signed_content_only() {
            WebhookRequest one = request(BODY, Map.of("X-GitHub-Delivery", "d1"));
            WebhookRequest other = request(BODY, Map.of("X-GitHub-Delivery", "d2"));
            assertThat(scheme.identity(one)).isNotEqualTo(scheme.identity(other));
            assertThat(scheme.identifiedByContent().identity(one))
                    .isEqualTo(scheme.identifiedByContent().identity(other));
        }
    }

    @Test
    @DisplayName("needs a secret")
    void needs_a_secret() {
        assertThatThrownBy(StripeWebhooks::signedWith).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> GitHubWebhooks.signedWith("")).isInstanceOf(IllegalArgumentException.class);
    }
}

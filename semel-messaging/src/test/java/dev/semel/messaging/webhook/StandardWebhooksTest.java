package dev.semel.messaging.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Standard Webhooks")
class StandardWebhooksTest {

    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final String TIMESTAMP = "1614265330";
    private static final String BODY = "{\"test\": 2432232314}";

    /** The vector of the specification's reference libraries. */
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private static final String BY_SECRET = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

    /** The first key of RFC 8032, and a signature by OpenSSL 3 with it: {@code openssl pkeyutl -sign -rawin}. */
    private static final String PUBLIC_KEY = "whpk_11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=";

    private static final String BY_KEY =
            "v1a,fldxM4gAKugP6nnt1hdz3sgGfZ6d99nzrMFnZOELIxbzEHoVmAb2ADpkJK7zgPePmPsle0zV9jSeGlHFG2NVAw==";

    private static final Verification GENUINE = new Verification.Genuine(Instant.ofEpochSecond(1614265330));
    private static final Verification FORGED = new Verification.Forged();

    private static Map<String, String> headers(String family, String id, String timestamp, String signature) {
        return Map.of(family + "-id", id, family + "-timestamp", timestamp, family + "-signature", signature);
    }

    private static WebhookRequest request(Map<String, String> headers, String body) {
        return new WebhookRequest(
                headers.entrySet().stream()
                        .collect(Collectors.toMap(Map.Entry::getKey, header -> List.of(header.getValue()))),
                body.getBytes(UTF_8));
    }

    private static Verification verify(StandardWebhooks scheme, String signature) {
        return scheme.verify(request(headers("webhook", ID, TIMESTAMP, signature), BODY));
    }

    @Nested
    @DisplayName("in headers that begin with svix-")
    class Svix {

        private final StandardWebhooks scheme = StandardWebhooks.signedWith(SECRET, PUBLIC_KEY);

        private final Map<String, String> headers = new HashMap<>(headers("svix", ID, TIMESTAMP, BY_SECRET));

        @Test
        void are_read_like_the_webhook_headers_in_any_case() {
            assertThat(scheme.verify(request(headers, BODY))).isEqualTo(GENUINE);
            assertThat(scheme.verify(request(headers("Svix", ID, TIMESTAMP, BY_KEY), BODY)))
                    .isEqualTo(GENUINE);
            assertThat(scheme.verify(request(headers, BODY + " "))).isEqualTo(FORGED);
        }

        @Test
        void identify_the_same_event_as_the_webhook_headers() {
            assertThat(scheme.identity(request(headers, BODY)))
                    .isEqualTo(scheme.identity(request(headers("webhook", ID, TIMESTAMP, BY_SECRET), BODY)));
            assertThat(scheme.identity(request(headers, BODY)).key().value()).isEqualTo(ID);
        }

        @ParameterizedTest
        @ValueSource(strings = {"-id", "-timestamp", "-signature"})
        void are_not_completed_by_a_header_of_the_other_family(String name) {
            headers.put("webhook" + name, headers.remove("svix" + name));
            assertThat(scheme.verify(request(headers, BODY))).isEqualTo(FORGED);
        }

        @ParameterizedTest
        @ValueSource(strings = {"-id", "-timestamp", "-signature"})
        void are_refused_when_the_other_family_has_another_value(String name) {
            headers.putAll(headers("webhook", ID, TIMESTAMP, BY_SECRET));
            assertThat(scheme.verify(request(headers, BODY)))
                    .as("both say the same")
                    .isEqualTo(GENUINE);
            String other = name.equals("-id") ? "msg_other" : name.equals("-timestamp") ? "1614265331" : BY_KEY;
            for (String family : List.of("svix", "webhook")) {
                Map<String, String> differing = new HashMap<>(headers);
                differing.put(family + name, other);
                assertThat(scheme.verify(request(differing, BODY))).as(family).isEqualTo(FORGED);
                differing.remove(family + name);
                assertThat(scheme.verify(request(differing, BODY)))
                        .as(family + " incomplete")
                        .isEqualTo(FORGED);
            }
        }

        @Test
        void are_refused_when_the_other_family_has_a_header_twice() {
            Map<String, List<String>> twice = new HashMap<>();
            headers.forEach((name, value) -> twice.put(name, List.of(value)));
            twice.put("webhook-id", List.of(ID, ID));
            assertThat(scheme.verify(new WebhookRequest(twice, BODY.getBytes(UTF_8))))
                    .isEqualTo(FORGED);
        }
    }

    @Nested
    @DisplayName("signed with Ed25519")
    class Asymmetric {

        private final StandardWebhooks scheme = StandardWebhooks.signedWith(PUBLIC_KEY);

        private static KeyPair newPair() throws GeneralSecurityException {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        }

        private static byte[] rawKey(KeyPair pair) {
            byte[] encoded = pair.getPublic().getEncoded();
            return Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length);
        }

        private static String publicKey(KeyPair pair) {
            return "whpk_" + Base64.getEncoder().encodeToString(rawKey(pair));
        }

        private static String sign(PrivateKey key) throws GeneralSecurityException {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update((ID + "." + TIMESTAMP + "." + BODY).getBytes(UTF_8));
            return "v1a," + Base64.getEncoder().encodeToString(signature.sign());
        }

        @Test
        void is_accepted_from_another_implementation() {
            assertThat(verify(scheme, BY_KEY)).isEqualTo(GENUINE);
        }

        @Test
        void is_refused_with_another_id_time_or_body() {
            assertThat(scheme.verify(request(headers("webhook", ID + "x", TIMESTAMP, BY_KEY), BODY)))
                    .isEqualTo(FORGED);
            assertThat(scheme.verify(request(headers("webhook", ID, "1614265331", BY_KEY), BODY)))
                    .isEqualTo(FORGED);
            assertThat(scheme.verify(request(headers("webhook", ID, TIMESTAMP, BY_KEY), BODY + " ")))
                    .isEqualTo(FORGED);
        }

        @Test
        void is_accepted_with_old_and_new_keys_during_a_rotation_and_with_no_other() throws Exception {
            for (int i = 0; i < 20; i++) {
                KeyPair old = newPair();
                KeyPair next = newPair();
                StandardWebhooks both = StandardWebhooks.signedWith(publicKey(next), publicKey(old));
                assertThat(verify(both, sign(old.getPrivate()))).isEqualTo(GENUINE);
                assertThat(verify(both, sign(next.getPrivate()))).isEqualTo(GENUINE);
                assertThat(verify(both, sign(newPair().getPrivate()))).isEqualTo(FORGED);
            }
        }

        @Test
        void is_accepted_beside_the_other_version_in_one_header() {
            StandardWebhooks both = StandardWebhooks.signedWith(SECRET, PUBLIC_KEY);
            String otherSecret = "v1," + BY_SECRET.substring(3).replace('g', 'h');
            String otherKey = "v1a," + BY_KEY.substring(4).replace('f', 'g');
            assertThat(verify(both, BY_SECRET + " " + BY_KEY)).isEqualTo(GENUINE);
            assertThat(verify(both, otherSecret + " " + BY_KEY)).isEqualTo(GENUINE);
            assertThat(verify(both, otherKey + " " + BY_SECRET)).isEqualTo(GENUINE);
            assertThat(verify(both, otherKey + " " + otherSecret)).isEqualTo(FORGED);
            assertThat(verify(scheme, BY_SECRET + " " + BY_KEY)).isEqualTo(GENUINE);
            assertThat(verify(StandardWebhooks.signedWith(SECRET), BY_KEY + " " + BY_SECRET))
                    .isEqualTo(GENUINE);
        }

        /** The public key is not secret: an HMAC signature with its bytes proves nothing. */
        @Test
        void is_not_used_as_a_shared_secret() {
            String asSecret = "whsec_" + PUBLIC_KEY.substring(5);
            Map<String, String> signed = StandardWebhooks.signedWith(asSecret)
                    .sign(ID, Instant.ofEpochSecond(1614265330), BODY.getBytes(UTF_8));
            assertThat(scheme.verify(request(signed, BODY))).isEqualTo(FORGED);
            String hmac = signed.getOrDefault("webhook-signature", "").substring(3);
            assertThat(verify(scheme, "v1a," + hmac)).isEqualTo(FORGED);
            assertThat(verify(StandardWebhooks.signedWith(SECRET), "v1," + BY_KEY.substring(4)))
                    .isEqualTo(FORGED);
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "",
                    "v1a",
                    "v1a,",
                    "v1a,not Base64!",
                    "v1a,AAAA",
                    "v1a,fldxM4gAKugP6nnt1hdz3sgGfZ6d99nzrMFnZOELIxbzEHoVmAb2ADpkJK7zgPePmPsle0zV9jSeGlHFG2NV",
                    "v1a,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA==",
                    "v1a,/////////////////////////////////////////////////////////////////////////////////////w==",
                    "v1b,fldxM4gAKugP6nnt1hdz3sgGfZ6d99nzrMFnZOELIxbzEHoVmAb2ADpkJK7zgPePmPsle0zV9jSeGlHFG2NVAw=="
                })
        void is_refused_when_malformed(String signature) {
            assertThat(verify(scheme, signature)).isEqualTo(FORGED);
        }

        @Test
        void is_refused_whatever_its_bytes_are() {
            Random random = new Random(7);
            byte[] right = Base64.getDecoder().decode(BY_KEY.substring(4));
            for (int i = 0; i < 2_000; i++) {
                byte[] signature = right.clone();
                ByteBuffer.wrap(signature).putLong(8 * random.nextInt(8), random.nextLong());
                assertThat(verify(scheme, "v1a," + Base64.getEncoder().encodeToString(signature)))
                        .isEqualTo(FORGED);
            }
        }

        @Test
        void costs_a_few_verifications_however_many_signatures_are_sent() {
            assertThat(verify(scheme, "v1a,AAAA ".repeat(7) + BY_KEY)).isEqualTo(GENUINE);
            assertThat(verify(scheme, "v1a,AAAA ".repeat(8) + BY_KEY)).isEqualTo(FORGED);
        }

        @Test
        void cannot_be_made_with_a_public_key() {
            assertThatThrownBy(() -> scheme.sign(ID, Instant.EPOCH, new byte[0]))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("give a secret that begins with whsec_");
        }

        @ParameterizedTest
        @ValueSource(strings = {"whpk_", "whpk_§§§", "whpk_c2hvcnQ="})
        void is_refused_at_start_with_a_malformed_key_without_showing_it(String key) {
            assertThatThrownBy(() -> StandardWebhooks.signedWith(key))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageNotContainingAny("c2hv", "§");
        }

        @Test
        void is_refused_with_a_private_key() {
            assertThatThrownBy(() -> StandardWebhooks.signedWith("whsk_c2hvcnQ="))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("private key")
                    .hasMessageContaining("whpk_");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "0000000000000000000000000000000000000000000000000000000000000000",
                    "0100000000000000000000000000000000000000000000000000000000000080",
                    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
                    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
                    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"
                })
        void is_refused_with_a_key_of_small_order(String key) {
            assertThatThrownBy(() -> StandardWebhooks.signedWith(encoded(key)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("small order");
        }

        @Test
        void is_refused_with_a_key_that_is_not_a_point_of_the_curve() {
            String noPoint = "02" + "00".repeat(31);
            assertThatThrownBy(() -> StandardWebhooks.signedWith(encoded(noPoint)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not a point of the curve");
        }

        private static String encoded(String hex) {
            return "whpk_" + Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hex));
        }
    }

    /** Signed as {@code msg.1614265330.77.{}}, which could be read in two ways. */
    @Test
    void are_refused_with_a_full_stop_in_the_id_although_validly_signed() {
        StandardWebhooks scheme = StandardWebhooks.signedWith(SECRET);
        Map<String, String> signed = scheme.sign("msg.1", Instant.ofEpochSecond(1614265330), BODY.getBytes(UTF_8));
        assertThat(scheme.verify(request(signed, BODY))).isEqualTo(FORGED);
    }
}

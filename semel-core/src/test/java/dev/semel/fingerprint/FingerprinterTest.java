package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Fingerprint;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A fingerprinter")
class FingerprinterTest {

    private static final byte[] OLD = "the secret of last year".getBytes(UTF_8);
    private static final byte[] NEW = "the secret of this year".getBytes(UTF_8);
    private static final Parts PAYMENT = Parts.builder()
            .add("method", "POST")
            .add("path", "/payments")
            .body("application/json", "{\"amount\":1}".getBytes(UTF_8))
            .build();

    @Test
    void gives_one_fingerprint_to_one_meaning_and_another_to_another() {
        Fingerprinter fingerprinter = Fingerprinter.sha256();
        Parts same = Parts.builder()
                .add("method", "POST")
                .add("path", "/payments")
                .body("application/json", "{ \"amount\": 1.0 }".getBytes(UTF_8))
                .build();
        Parts other = Parts.builder()
                .add("method", "POST")
                .add("path", "/payments")
                .body("application/json", "{\"amount\":2}".getBytes(UTF_8))
                .build();

        assertThat(fingerprinter.of(same)).isEqualTo(fingerprinter.of(PAYMENT));
        assertThat(fingerprinter.of(other)).isNotEqualTo(fingerprinter.of(PAYMENT));
        assertThat(fingerprinter.matches(fingerprinter.of(PAYMENT), same)).isTrue();
        assertThat(fingerprinter.matches(fingerprinter.of(PAYMENT), other)).isFalse();
    }

    /** Stored fingerprints outlive the code that made them: version 1 must stay what it is. */
    @Test
    void digests_the_framed_parts_and_keeps_version_1_as_it_is() throws Exception {
        byte[] framed = HexFormat.ofDelimiter(" ")
                .parseHex("01 00 00 00 01 61 01 00 00 00 02 62 63 01 00 00 00 00 00 00 00 00 01 ff");
        Parts parts =
                Parts.builder().add("a", "bc").add("", new byte[] {(byte) 0xff}).build();

        String digest =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(framed));
        assertThat(Fingerprinter.sha256().of(parts)).isEqualTo(new Fingerprint("v1:" + digest));
        assertThat(Fingerprinter.sha256().of(PAYMENT).value())
                .isEqualTo("v1:ff5715eb7283da28cd6c37aeacc4db9b2c4c43d2224a5dee4168195605f31002");
    }

    @Test
    void frames_with_every_byte_of_a_length() throws Exception {
        byte[] value = new byte[0x01020304];
        MessageDigest expected = MessageDigest.getInstance("SHA-256");
        expected.update(HexFormat.of().parseHex("010000000161" + "00" + "01020304"));

        assertThat(digestOf(Fingerprinter.sha256()
                        .of(Parts.builder().add("a", value).build())))
                .isEqualTo(HexFormat.of().formatHex(expected.digest(value)));
    }

    @Test
    void never_lets_parts_run_together() {
        List<Parts> lists = List.of(
                Parts.builder().build(),
                Parts.builder().add("", "").build(),
                Parts.builder().add("", "").add("", "").build(),
                Parts.builder().add("a", "bc").build(),
                Parts.builder().add("ab", "c").build(),
                Parts.builder().add("abc", "").build(),
                Parts.builder().add("", "abc").build(),
                Parts.builder().add("a", "b").add("c", "").build(),
                Parts.builder().add("a", "").add("bc", "").build(),
                Parts.builder().add("a", "x").add("b", "y").build(),
                Parts.builder().add("b", "y").add("a", "x").build(),
                Parts.builder().add("a", "x\0\0\0\1b").build(),
                Parts.builder().add("a", "bc".getBytes(UTF_8)).build(),
                Parts.builder().add("a", Content.json("bc".getBytes(UTF_8), 2)).build(),
                Parts.builder().add("a", "\ud800").build(),
                Parts.builder().add("a", "\ud801").build(),
                Parts.builder().add("a", "?").build(),
                Parts.builder().add("a", "\ufffd").build(),
                Parts.builder().add("a", new byte[] {(byte) 0xd8, 0}).build(),
                Parts.builder().add("\ud800", "a").build(),
                Parts.builder().add("\ud801", "a").build());

        assertThat(lists.stream().map(Fingerprinter.sha256()::of).distinct()).hasSize(lists.size());
        assertThat(lists.stream().distinct()).hasSize(lists.size());
    }

    @Test
    void takes_plain_payloads() {
        Fingerprinter fingerprinter = Fingerprinter.sha256();

        assertThat(fingerprinter.ofText("a"))
                .isEqualTo(fingerprinter.ofText("a"))
                .isNotEqualTo(fingerprinter.ofText("b"));
        assertThat(fingerprinter.ofBytes(new byte[] {1}))
                .isEqualTo(fingerprinter.ofBytes(new byte[] {1}))
                .isNotEqualTo(fingerprinter.ofBytes(new byte[] {2}));
    }

    @Test
    void keeps_what_it_was_given_when_the_caller_reuses_an_array() {
        byte[] reused = {1, 2, 3};
        Parts parts = Parts.builder().add("a", reused).build();
        Fingerprint before = Fingerprinter.sha256().of(parts);
        byte[] secret = OLD.clone();
        Fingerprinter hmac = Fingerprinter.hmac("k", secret);
        Fingerprint keyed = hmac.of(parts);

        reused[0] = 9;
        secret[0] = 9;

        assertThat(Fingerprinter.sha256().of(parts)).isEqualTo(before);
        assertThat(hmac.of(parts)).isEqualTo(keyed);
    }

    @Test
    void names_the_secret_and_depends_on_it() {
        Fingerprint old = Fingerprinter.hmac("2025", OLD).of(PAYMENT);

        assertThat(old.version()).isEqualTo("v1.2025");
        assertThat(old.value()).matches("v1\\.2025:[0-9a-f]{64}");
        assertThat(digestOf(Fingerprinter.hmac("2025", NEW).of(PAYMENT))).isNotEqualTo(digestOf(old));
        assertThat(digestOf(Fingerprinter.sha256().of(PAYMENT))).isNotEqualTo(digestOf(old));
    }

    @Test
    void compares_under_the_secret_that_a_fingerprint_was_stored_with() {
        Fingerprint plain = Fingerprinter.sha256().of(PAYMENT);
        Fingerprint old = Fingerprinter.hmac("2025", OLD).of(PAYMENT);
        Fingerprinter rotated = Fingerprinter.hmac("2026", NEW).accepting("2025", OLD);
        Parts other = Parts.builder().add("method", "PUT").build();

        assertThat(rotated.of(PAYMENT).version()).isEqualTo("v1.2026");
        for (Fingerprint stored : List.of(plain, old, rotated.of(PAYMENT))) {
            assertThat(rotated.matches(stored, PAYMENT)).as(stored.version()).isTrue();
            assertThat(rotated.matches(stored, other)).as(stored.version()).isFalse();
        }
    }

    @Test
    void matches_nothing_of_an_unknown_version_or_secret() {
        String digest = digestOf(Fingerprinter.sha256().of(PAYMENT));
        Fingerprint old = Fingerprinter.hmac("2025", OLD).of(PAYMENT);

        Stream.of("v0:" + digest, "v2:" + digest, "v1.2025:" + digest, "v10:" + digest)
                .forEach(stored -> assertThat(Fingerprinter.sha256().matches(new Fingerprint(stored), PAYMENT))
                        .as(stored)
                        .isFalse());
        assertThat(Fingerprinter.hmac("2026", NEW).matches(old, PAYMENT)).isFalse();
        assertThat(Fingerprinter.hmac("2025", NEW).matches(old, PAYMENT)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a.b", "a:b", "a b", "\u00e9", "123456789012345678901234567890123"})
    void refuses_ids_that_a_fingerprint_cannot_carry(String keyId) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.hmac(keyId, OLD))
                .withMessageContaining("1 to 32 letters, digits, '_' or '-'");
    }

    @Test
    void refuses_short_secrets_and_two_secrets_of_one_id() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fingerprinter.hmac("k", new byte[15]))
                .withMessageContaining("15 bytes, at least 16");
        Fingerprinter hmac = Fingerprinter.hmac("k", OLD).accepting("j", NEW);
        assertThatIllegalArgumentException().isThrownBy(() -> hmac.accepting("k", NEW));
        assertThatIllegalArgumentException().isThrownBy(() -> hmac.accepting("j", OLD));
    }

    @Test
    void shows_no_content_in_texts() {
        assertThat(PAYMENT.toString()).contains("method", "[4 bytes]").doesNotContain("POST", "amount");
    }

    @Test
    void takes_a_secret_of_sixteen_bytes() {
        assertThat(Fingerprinter.hmac("k", new byte[16]).of(PAYMENT).version()).isEqualTo("v1.k");
    }

    private static String digestOf(Fingerprint fingerprint) {
        return fingerprint.value().substring(fingerprint.value().indexOf(':') + 1);
    }
}

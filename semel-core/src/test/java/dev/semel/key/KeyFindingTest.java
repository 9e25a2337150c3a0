package dev.semel.key;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("what speaks against a key")
class KeyFindingTest {

    private static final int MANY = 100_000;
    private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

    /** Unseeded randomness would fail once in a while and never again. */
    private final Random random = new Random(42);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jane@example.com",
                "jane.doe+orders@mail.example.co.uk",
                "order:jane@example.com:42",
                "jane%40example.com",
                "0199f3c4-1111-7000-8000-0123456789ab/jane@example.com",
                "jürgen@müller.de"
            })
    void an_email_address(String key) {
        assertThat(KeyFinding.in(Key.of(key))).contains(KeyFinding.EMAIL_ADDRESS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "4111111111111111",
                "4111-1111-1111-1111",
                "4111 1111 1111 1111",
                "card:4111111111111111",
                "4111111111111111-2",
                "378282246310005",
                "3782 822463 10005",
                "charge_6011111111111117_again",
                "4222222222222",
                "6304000000000000000"
            })
    void a_run_of_digits_that_passes_luhn(String key) {
        assertThat(KeyFinding.in(Key.of(key))).contains(KeyFinding.CARD_NUMBER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+491701234567",
                "+49 170 1234567",
                "+49 (170) 123-4567",
                "transfer:+1-555-123-4567:2026",
                "00491701234567",
                "0049 170 1234567",
                "(555) 234-5678",
                "555-234-5678",
                "order/555.234.5678/0a1b2c3d4e5f"
            })
    void a_telephone_number(String key) {
        assertThat(KeyFinding.in(Key.of(key))).contains(KeyFinding.PHONE_NUMBER);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "k",
                "42",
                "order-42",
                "order-2026-0001",
                "ORDER_2026_0001",
                "aaaaaaaaaaaaaaaaaaaaaaaa",
                "00000000-0000-0000-0000-000000000000",
                "ffffffff-ffff-ffff-ffff-ffffffffffff",
                "Abc1Abc1Abc1Ab1"
            })
    void few_characters_of_low_variety(String key) {
        assertThat(KeyFinding.in(Key.of(key))).contains(KeyFinding.LOW_VARIETY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // A digit too few, too many, or wrong.
                "1234567890123456",
                "12345678901234567890",
                "invoice-2026-07-31-000042",
                // Within other letters and digits a number is no number.
                "a4111111111111111b2c3d4e",
                "2026-05-01T12:00:00.000+02:00",
                "0012345678-purchase-order",
                "no-address@here-at-all",
                "@example.com-is-a-domain",
                "kP3x9QzT7bLm",
                "urn:uuid:8e03978e-40d5-43dd-bc93-6894a57f9324",
                "pay_8e03978e-40d5-43dd-bc93-6894a57f9324",
                // All its digits are decimal ones.
                "41111111-1111-4111-8111-111111111111",
                "12345678-4111-1111-1111-111111111111"
            })
    void and_what_does_not(String key) {
        assertThat(KeyFinding.in(Key.of(key))).isEmpty();
    }

    private List<String> flagged(int count, Function<byte[], String> form) {
        List<String> flagged = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            String key = form.apply(bytes);
            KeyFinding.in(Key.of(key)).ifPresent(finding -> flagged.add(finding + " " + key));
        }
        return flagged;
    }

    private static String uuid(byte[] bytes, int version) {
        String hex = HexFormat.of().formatHex(bytes);
        return hex.substring(0, 8) + "-" + hex.substring(8, 12) + "-" + version + hex.substring(13, 16) + "-"
                + "89ab".charAt(bytes[8] & 3) + hex.substring(17, 20) + "-" + hex.substring(20);
    }

    @Test
    void no_uuid_of_any_version_is_flagged() {
        for (int version = 1; version <= 8; version++) {
            int each = version;
            assertThat(flagged(MANY, bytes -> uuid(bytes, each)))
                    .as("version " + version)
                    .isEmpty();
        }
        assertThat(UUID.fromString(uuid(new byte[16], 7)).version()).isEqualTo(7);
    }

    @Test
    void no_uuid_without_hyphens_in_capitals_or_with_a_prefix_is_flagged() {
        assertThat(flagged(MANY, bytes -> HexFormat.of().formatHex(bytes))).isEmpty();
        assertThat(flagged(MANY, bytes -> HexFormat.of().withUpperCase().formatHex(bytes)))
                .isEmpty();
        assertThat(flagged(MANY, bytes -> "pay-" + uuid(bytes, 4))).isEmpty();
        assertThat(flagged(MANY, bytes -> uuid(bytes, 7) + "-2")).isEmpty();
        assertThat(flagged(MANY, bytes -> "42-" + uuid(bytes, 4) + "-42")).isEmpty();
    }

    @Test
    void no_ulid_is_flagged() {
        assertThat(flagged(MANY, bytes -> {
                    StringBuilder ulid = new StringBuilder("01K");
                    while (ulid.length() < 26) {
                        ulid.append(CROCKFORD.charAt(random.nextInt(CROCKFORD.length())));
                    }
                    return ulid.toString();
                }))
                .isEmpty();
    }

    @Test
    void no_random_base64_of_16_characters_and_more_is_flagged() {
        assertThat(flagged(MANY, bytes -> Base64.getEncoder().encodeToString(bytes)))
                .isEmpty();
        assertThat(flagged(
                        MANY, bytes -> Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
                .isEmpty();
        assertThat(flagged(
                        MANY, bytes -> Base64.getEncoder().encodeToString(bytes).substring(0, 16)))
                .isEmpty();
    }

    /** The one exception: 16 decimal digits with a valid check digit are a card number, whatever they were meant to be. */
    @Test
    void random_hex_of_16_digits_is_flagged_only_where_it_could_be_a_card_number() {
        assertThat(flagged(MANY, bytes -> HexFormat.of().formatHex(bytes, 0, 8)))
                .hasSizeLessThan(20)
                .allMatch(flagged -> flagged.matches("CARD_NUMBER [0-9]{16}"));
        assertThat(flagged(MANY, bytes -> HexFormat.of().formatHex(bytes, 0, 10)))
                .isEmpty();
    }
}

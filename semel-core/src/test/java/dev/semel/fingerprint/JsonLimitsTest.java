package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.semel.fingerprint.BodyLimitException.Limit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Limits of JSON")
class JsonLimitsTest {

    private static final CanonicalJson SMALL = new CanonicalJson(new CanonicalJson.Limits(64, 3, 10));

    @ParameterizedTest
    @ValueSource(strings = {"[", "{\"a\":", "[{\"a\":", " [ "})
    void a_million_levels_are_refused_and_overflow_no_stack(String level) {
        CanonicalJson roomy = new CanonicalJson(new CanonicalJson.Limits(64 << 20, 100, 1000));

        assertThat(refusal(roomy, level.repeat(1_000_000)).limit()).isEqualTo(Limit.DEPTH);
    }

    @Test
    void a_generous_depth_overflows_no_stack_either() {
        CanonicalJson deep = new CanonicalJson(new CanonicalJson.Limits(64 << 20, 2_000_000, 1000));
        byte[] body = ("[".repeat(1_000_000) + "]".repeat(1_000_000)).getBytes(UTF_8);

        assertThat(((Canonical.Json) deep.of(body)).bytes()).isEqualTo(body);
    }

    @Test
    void depth_counts_arrays_and_objects_up_to_the_limit() {
        assertThat(SMALL.of("[[{\"a\":1}],[]]".getBytes(UTF_8))).isInstanceOf(Canonical.Json.class);
        BodyLimitException refusal = refusal(SMALL, "[[{\"a\":[]}]]");
        assertThat(refusal.limit()).isEqualTo(Limit.DEPTH);
        assertThat(refusal).hasMessage("the JSON body is nested more than 3 levels deep");
    }

    @Test
    void size_is_refused_before_anything_is_read() {
        assertThat(SMALL.of(("\"" + "a".repeat(62) + "\"").getBytes(UTF_8))).isInstanceOf(Canonical.Json.class);
        BodyLimitException refusal = refusal(SMALL, "not even JSON".repeat(10));
        assertThat(refusal.limit()).isEqualTo(Limit.SIZE);
        assertThat(refusal).hasMessage("the body has 130 bytes, at most 64 are allowed for JSON");
    }

    @Test
    void the_spelling_of_a_number_is_refused_when_it_is_too_long() {
        assertThat(SMALL.of("[1234567890]".getBytes(UTF_8))).isInstanceOf(Canonical.Json.class);
        for (String number : new String[] {"12345678901", "0.123456789", "1e000000000", "-1234567890"}) {
            assertThat(refusal(SMALL, "[" + number + "]").limit()).isEqualTo(Limit.NUMBER);
        }
    }

    @Test
    void a_number_of_a_million_digits_is_refused_by_default() {
        assertThat(refusal(CanonicalJson.standard(), "9".repeat(1_000_000)).limit())
                .isEqualTo(Limit.NUMBER);
        assertThat(refusal(CanonicalJson.standard(), "1e" + "9".repeat(1_000_000))
                        .limit())
                .isEqualTo(Limit.NUMBER);
    }

    @Test
    void a_string_or_name_may_be_as_long_as_the_body() {
        String longText = "x".repeat(1 << 20);

        assertThat(CanonicalJson.standard().of(("{\"" + longText + "\":\"" + longText + "\"}").getBytes(UTF_8)))
                .isInstanceOf(Canonical.Json.class);
    }

    @Test
    void limits_may_be_as_narrow_as_one_and_as_wide_as_256_mebibytes() {
        CanonicalJson narrow = new CanonicalJson(new CanonicalJson.Limits(1, 1, 1));

        assertThat(narrow.of("7".getBytes(UTF_8))).isInstanceOf(Canonical.Json.class);
        assertThat(new CanonicalJson.Limits(256 << 20, 1, 1).maxBytes()).isEqualTo(256 << 20);
    }

    @ParameterizedTest
    @CsvSource({"0,1,1", "1,0,1", "1,1,0", "-1,1,1", "268435457,1,1"})
    void limits_that_make_no_sense_are_refused(int bytes, int depth, int number) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CanonicalJson.Limits(bytes, depth, number))
                .withMessageContaining("it must be at");
    }

    private static BodyLimitException refusal(CanonicalJson json, String body) {
        BodyLimitException refusal =
                catchThrowableOfType(BodyLimitException.class, () -> json.of(body.getBytes(UTF_8)));
        assertThat(refusal).isNotNull();
        return refusal;
    }
}

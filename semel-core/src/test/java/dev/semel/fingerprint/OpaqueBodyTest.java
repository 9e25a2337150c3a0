package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A body without a canonical form")
class OpaqueBodyTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "\n\t",
                "x",
                "{",
                "}",
                "[",
                "[1,",
                "[1,]",
                "[,1]",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{a:1}",
                "{'a':1}",
                "'a'",
                "\"a",
                "\"\t\"",
                "\"\\x\"",
                "\"\\u12\"",
                "01",
                "[01]",
                "-01",
                "+1",
                ".5",
                "1.",
                "1.e5",
                "1e",
                "1e+",
                "-",
                "--1",
                "0x10",
                "NaN",
                "Infinity",
                "-Infinity",
                "undefined",
                "True",
                "nul",
                "nulll",
                "// c\n1",
                "/* c */1",
                "# c\n1",
                "[1}",
                "{]",
                "[1 2]",
                "{\"a\" 1}",
                "\u00a01",
                "\u000c1",
                "\u0000"
            })
    void is_anything_that_is_not_json(String body) {
        assertThat(CanonicalJson.standard().of(body.getBytes(UTF_8))).isInstanceOf(Canonical.Opaque.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"{}{}", "{} {}", "1 2", "[]1", "{}x", "{},", "null null", "1\u0000", "{}\u0000", "\"a\"\"b\""})
    void is_json_with_something_after_it(String body) {
        assertThat(CanonicalJson.standard().of(body.getBytes(UTF_8))).isInstanceOf(Canonical.Opaque.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":1,\"a\":1}",
                "{\"a\":1,\"b\":2,\"a\":3}",
                "{\"a\":1,\"\\u0061\":2}",
                "{\"b\":0,\"\\u0061\":1,\"a\":2}",
                "{\"\":1,\"\":2}",
                "[{\"x\":{\"a\":1,\"a\":2}}]",
                "{\"\\ud83d\\ude00\":1,\"\ud83d\ude00\":2}"
            })
    void is_an_object_that_names_a_member_twice(String body) {
        assertThat(CanonicalJson.standard().of(body.getBytes(UTF_8)))
                .isEqualTo(new Canonical.Opaque("an object has two members of one name"));
    }

    @Test
    void is_not_an_object_whose_names_recur_at_other_levels() {
        assertThat(CanonicalJson.standard().of("{\"a\":{\"a\":[{\"a\":1},{\"a\":1}]},\"A\":1}".getBytes(UTF_8)))
                .isInstanceOf(Canonical.Json.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"\\ud800\"",
                "\"\\udc00\"",
                "\"\\udc00\\ud800\"",
                "\"\\ud800x\"",
                "\"\\ud800\\ud800\\udc00\"",
                "[\"\\uDBFF\"]",
                "{\"\\ud800\":1}",
                "{\"a\\udfff\":1}"
            })
    void has_an_unpaired_surrogate_in_a_string_or_name(String body) {
        assertThat(CanonicalJson.standard().of(body.getBytes(UTF_8))).isInstanceOf(Canonical.Opaque.class);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "a stray continuation byte, 22 80 22",
        "a lone lead byte, 22 C3 22",
        "a cut sequence at the end, 22 E2 82",
        "an overlong slash, 22 C0 AF 22",
        "an overlong NUL, 22 C0 80 22",
        "an overlong quote in three bytes, 22 E0 80 A2 22",
        "an encoded high surrogate, 22 ED A0 80 22",
        "an encoded surrogate pair, 22 ED A0 BD ED B8 80 22",
        "a point above U+10FFFF, 22 F4 90 80 80 22",
        "a five-byte form, 22 F8 88 80 80 80 22",
        "0xFF, 22 FF 22"
    })
    void is_not_strict_utf8(String what, String hex) {
        byte[] body = HexFormat.ofDelimiter(" ").parseHex(hex);

        assertThat(CanonicalJson.standard().of(body)).isEqualTo(new Canonical.Opaque("it is not UTF-8"));
    }

    @Test
    void begins_with_a_byte_order_mark() {
        assertThat(CanonicalJson.standard().of("\uFEFF{}".getBytes(UTF_8)))
                .isEqualTo(new Canonical.Opaque("it begins with a byte order mark"));
    }

    @Test
    void is_json_in_another_encoding() {
        assertThat(CanonicalJson.standard().of("{\"a\":1}".getBytes(UTF_16LE))).isInstanceOf(Canonical.Opaque.class);
        assertThat(CanonicalJson.standard().of("\"\u00e9\"".getBytes(ISO_8859_1)))
                .isInstanceOf(Canonical.Opaque.class);
    }

    @Test
    void is_equal_to_itself_only() {
        BodyForm form = BodyForm.byMediaType();
        byte[] duplicate = "{\"a\":1,\"a\":2}".getBytes(UTF_8);
        byte[] spaced = "{\"a\":1, \"a\":2}".getBytes(UTF_8);

        assertThat(form.of("application/json", duplicate)).isEqualTo(form.of("application/json", duplicate.clone()));
        assertThat(form.of("application/json", duplicate)).isNotEqualTo(form.of("application/json", spaced));
    }
}

package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Canonical JSON")
class CanonicalJsonTest {

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                                  | {}
                    []                                  | []
                    [ ]                                 | []
                    { "a" : [ ] , "A" : { } }           | {"A":{},"a":[]}
                    {"b":1,"a":2}                       | {"a":2,"b":1}
                    {"b":{"d":1,"c":2},"a":[{"y":0,"x":1},3]} | {"a":[{"x":1,"y":0},3],"b":{"c":2,"d":1}}
                    {"a":1,"":2,"aa":3}                 | {"":2,"a":1,"aa":3}
                    {"10":1,"9":2,"1":3}                | {"1":3,"10":1,"9":2}
                    [3,1,2]                             | [3,1,2]
                    [true,false,null]                   | [true,false,null]
                    "text"                              | "text"
                    -12                                 | -12
                    true                                | true
                    null                                | null
                    """)
    void drops_white_space_and_sorts_members_at_each_level_but_never_elements(String json, String canonical) {
        assertThat(canonical(json)).isEqualTo(canonical);
    }

    @Test
    void sorts_names_by_utf16_units_so_that_a_supplementary_character_precedes_the_end_of_the_basic_plane() {
        assertThat(canonical("""
                                {
                                  "\\u20ac": "Euro Sign",
                                  "\\r": "Carriage Return",
                                  "\\ufb33": "Hebrew Letter Dalet With Dagesh",
                                  "1": "One",
                                  "\\ud83d\\ude00": "Emoji: Grinning Face",
                                  "\\u0080": "Control",
                                  "\\u00f6": "Latin Small Letter O With Diaeresis"
                                }
                                """))
                .isEqualTo("{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\u0080\":\"Control\","
                        + "\"\u00f6\":\"Latin Small Letter O With Diaeresis\",\"\u20ac\":\"Euro Sign\","
                        + "\"\ud83d\ude00\":\"Emoji: Grinning Face\",\"\ufb33\":\"Hebrew Letter Dalet With Dagesh\"}");
    }

    @Test
    void is_the_example_of_rfc_8785_but_for_the_number_that_no_double_prints() {
        assertThat(canonical("""
                                {
                                  "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
                                  "string": "\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\"\\/",
                                  "literals": [null, true, false]
                                }
                                """))
                .isEqualTo("{\"literals\":[null,true,false],"
                        + "\"numbers\":[333333333.33333329,1e+30,4.5,0.002,1e-27],"
                        + "\"string\":\"\u20ac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
    }

    @Test
    void escapes_quote_backslash_and_control_characters_only_and_in_one_way() {
        String everyControl = IntStream.range(0, 0x20)
                .mapToObj(c -> String.format("\\u%04X", c))
                .collect(Collectors.joining("", "\"", "\""));

        assertThat(canonical(everyControl))
                .isEqualTo(
                        "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f"
                                + "\\u0010\\u0011\\u0012\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b"
                                + "\\u001c\\u001d\\u001e\\u001f\"");
        assertThat(canonical("\"\\u0022\\u005C\\/\\u007f\\u2028\\uFEFF\\u00e9\""))
                .isEqualTo("\"\\\"\\\\/\u007f\u2028\uFEFF\u00e9\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000",
                "\u007f",
                "\u0080",
                "\u07ff",
                "\u0800",
                "\ud7ff",
                "\ue000",
                "\uffff",
                "\ud800\udc00",
                "\udbff\udfff"
            })
    void keeps_characters_at_the_borders_of_utf8(String character) {
        StringBuilder escaped = new StringBuilder();
        character.chars().forEach(unit -> escaped.append(String.format("\\u%04x", unit)));
        String expected = character.equals("\u0000") ? "\\u0000" : character;

        assertThat(canonical("[\"" + escaped + "\"]")).isEqualTo("[\"" + expected + "\"]");
    }

    @Test
    void is_equal_by_its_bytes_and_shows_none_of_them() {
        Canonical one = CanonicalJson.standard().of("[1, 2]".getBytes(UTF_8));

        assertThat(one)
                .isEqualTo(CanonicalJson.standard().of("[1,2.0]".getBytes(UTF_8)))
                .hasSameHashCodeAs(CanonicalJson.standard().of("[1,2.0]".getBytes(UTF_8)))
                .isNotEqualTo(CanonicalJson.standard().of("[2,1]".getBytes(UTF_8)))
                .hasToString("canonical JSON of 5 bytes");
    }

    @Test
    void leaves_canonical_bytes_as_they_are() {
        String canonical = "{\"a\":[1,2.5,\"x\"],\"b\":{\"c\":null}}";

        assertThat(canonical(canonical)).isEqualTo(canonical);
    }

    @Test
    void takes_many_members_in_reverse_order() {
        String reversed = IntStream.iterate(99_999, i -> i >= 10_000, i -> i - 1)
                .mapToObj(i -> "\"" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));
        String sorted = IntStream.rangeClosed(10_000, 99_999)
                .mapToObj(i -> "\"" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));

        assertThat(reversed.length()).isGreaterThan(1 << 20);
        assertThat(canonical(reversed)).isEqualTo(sorted);
    }

    private static String canonical(String json) {
        Canonical result = CanonicalJson.standard().of(json.getBytes(UTF_8));
        assertThat(result).isInstanceOf(Canonical.Json.class);
        return new String(((Canonical.Json) result).bytes(), UTF_8);
    }
}

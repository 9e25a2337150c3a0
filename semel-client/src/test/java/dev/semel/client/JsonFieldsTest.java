package dev.semel.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The fields of a JSON body")
class JsonFieldsTest {

    private static Map<String, String> fields(String json) {
        return JsonFields.of(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void are_strings_numbers_and_booleans_also_of_nested_objects() {
        assertThat(fields("""
                 { "code" : "a\\"b\\\\c\\n\\u00e9" , "status":409, "retryable":false, "empty":"", "x":{},
                  "list":[1,{"code":"no"},[]], "error":{"code":"e","deep":{"code":"no"},"n":-1.5E+3}, "code":"second"}\s"""))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "code",
                        "a\"b\\c\né",
                        "status",
                        "409",
                        "retryable",
                        "false",
                        "empty",
                        "",
                        "error.code",
                        "e",
                        "error.n",
                        "-1.5E+3"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "{}x",
                "[]",
                "\"text\"",
                "null",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1,}",
                "{\"a\":\"b}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\",
                "{a:1}",
                "{\"a\":[1,}",
                "{\"a\":{\"b\":1}"
            })
    void are_empty_without_a_complete_object(String json) {
        assertThat(fields(json)).isEmpty();
    }

    @Test
    void are_empty_when_nested_too_deep() {
        assertThat(fields("{\"code\":\"a\",\"x\":" + "[".repeat(30_000) + "]".repeat(30_000) + "}"))
                .isEmpty();
        assertThat(fields("{\"x\":".repeat(10_000) + "1" + "}".repeat(10_000))).isEmpty();
    }

    @Test
    void of_random_bytes_are_read_without_a_failure() {
        SplittableRandom random = new SplittableRandom(7);
        String alphabet = "{}[]\":,\\u0a 1tf";
        for (int i = 0; i < 100_000; i++) {
            StringBuilder json = new StringBuilder("{\"");
            random.ints(random.nextInt(20), 0, alphabet.length()).forEach(at -> json.append(alphabet.charAt(at)));

            assertThat(fields(json.toString())).isNotNull();
        }
    }
}

package dev.semel.http.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Key;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A key in a field")
class FieldKeyTest {

    @ParameterizedTest(name = "{0} of {1} is {2}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    /idempotencyKey | {"idempotencyKey":"k1"}               | k1
                    id              | {"x":{"id":"inner"},"id":"outer"}     | outer
                    eventId         | {"eventId":"e-1","data":[1,2,3]}      | e-1
                    commandId       | {"commandId":42}                      | 42
                    id              | {"id":-7}                             | -7
                    id              | {"id":9223372036854775808}            | 9223372036854775808
                    id              | {"id":9007199254740993}               | 9007199254740993
                    id              | {"id":1.0}                            | 1
                    id              | {"id":"a\\u0062c\\"d\\\\"}            | abc"d\\
                    id              | {"id":"caf\\u00e9 \\ud83d\\ude00"}    | caf\u00e9 \ud83d\ude00
                    /meta/eventId   | {"meta":{"eventId":"m"},"eventId":"e"} | m
                    /events/0/id    | {"events":[{"id":"first"},{"id":"second"}]} | first
                    meta/id         | {"meta/id":"slash"}                   | slash
                    a~b             | {"a~b":"tilde"}                       | tilde
                    """)
    void is_a_string_or_an_integer(String field, String body, String key) {
        assertThat(KeyStrategy.fromField(field).resolve(TestInput.message(body)))
                .isEqualTo(new KeyResult.Found(new Key(key)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"id\":null}", "{\"Id\":\"x\"}", "[{\"id\":\"x\"}]", "\"id\"", "7", ""})
    void may_be_missing(String body) {
        assertThat(KeyStrategy.fromField("id").resolve(TestInput.message(body)))
                .isEqualTo(new KeyResult.Missing("the field /id of the body"));
    }

    @Test
    void is_missing_from_a_body_of_another_type() {
        TestInput text = TestInput.message("{\"id\":\"x\"}").mediaType("text/plain");

        assertThat(KeyStrategy.fromField("id").resolve(text)).isInstanceOf(KeyResult.Missing.class);
    }

    @Test
    void is_found_in_a_compressed_body() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(out)) {
            gzip.write("{\"id\":\"x\"}".getBytes(UTF_8));
        }
        TestInput input =
                TestInput.bytes(out.toByteArray()).mediaType("application/json").header("Content-Encoding", "gzip");

        assertThat(KeyStrategy.fromField("id").resolve(input)).isEqualTo(new KeyResult.Found(new Key("x")));
    }

    @Test
    void is_not_guessed_at_in_a_coding_or_character_set_that_is_not_read() {
        TestInput coded = TestInput.message("{\"id\":\"x\"}").header("Content-Encoding", "br");
        TestInput latin = TestInput.message("{\"id\":\"x\"}").mediaType("application/json; charset=iso-8859-1");

        assertThat(KeyStrategy.fromField("id").resolve(coded)).isInstanceOf(KeyResult.Invalid.class);
        assertThat(KeyStrategy.fromField("id").resolve(latin)).isInstanceOf(KeyResult.Invalid.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"id\":true}",
                "{\"id\":1.5}",
                "{\"id\":1e30}",
                "{\"id\":1e-30}",
                "{\"id\":{}}",
                "{\"id\":[\"x\"]}"
            })
    void is_nothing_else(String body) {
        assertThat(KeyStrategy.fromField("id").resolve(TestInput.message(body)))
                .isEqualTo(new KeyResult.Invalid("the field /id must be a string, or an integer of at most 21 digits"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {"id":""}       | in the field /id the key is empty
                    {"id":"a\\nb"}  | in the field /id the key has a control character at position 1
                    """)
    void keeps_the_rules_of_every_key(String body, String reason) {
        assertThat(KeyStrategy.fromField("id").resolve(TestInput.message(body)))
                .isEqualTo(new KeyResult.Invalid(reason));
    }

    @Test
    void is_no_longer_than_any_key() {
        assertThat(KeyStrategy.fromField("id").resolve(TestInput.message("{\"id\":\"" + "k".repeat(256) + "\"}")))
                .isEqualTo(
                        new KeyResult.Invalid("in the field /id the key has 256 characters, at most 255 are allowed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x",
                "{\"id\":\"a\"",
                "{\"id\":\"a\"}x",
                "{\"id\":\"a\",\"id\":\"b\"}",
                "{\"id\":\"a\",\"\\u0069d\":\"a\"}",
                "{\"id\":\"\\ud800\"}"
            })
    void is_not_guessed_from_a_body_that_parsers_may_read_differently(String body) {
        KeyResult result = KeyStrategy.fromField("id").resolve(TestInput.message(body));

        assertThat(result).isInstanceOf(KeyResult.Invalid.class);
        assertThat(((KeyResult.Invalid) result).reason()).contains("must be valid JSON in UTF-8");
    }

    @Test
    void is_refused_beyond_the_limits_without_an_exception() {
        assertThat(KeyStrategy.fromField("id").resolve(TestInput.message("[".repeat(1_000_000))))
                .isEqualTo(new KeyResult.Invalid("the JSON body is nested more than 100 levels deep"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a~2"})
    void needs_a_name_or_a_valid_pointer(String field) {
        assertThatIllegalArgumentException().isThrownBy(() -> KeyStrategy.fromField(field));
    }
}

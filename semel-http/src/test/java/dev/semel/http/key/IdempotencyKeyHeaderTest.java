package dev.semel.http.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Key;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The key header")
class IdempotencyKeyHeaderTest {

    private static final IdempotencyKeyHeader STRICT = IdempotencyKeyHeader.strict(IdempotencyKeyHeader.NAME);
    private static final IdempotencyKeyHeader LENIENT = IdempotencyKeyHeader.lenient(IdempotencyKeyHeader.NAME);

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
                    "abc"                            | abc
                    '  "abc"  '                      | abc
                    "8e03978e-40d5-43dd-bc93"        | 8e03978e-40d5-43dd-bc93
                    "a\\\\b"                         | a\\b
                    "a\\"b"                          | a"b
                    "\\""                            | "
                    "a,b;c=d"                        | a,b;c=d
                    "!#$%&()*+-./:;<=>?@[]^_`{}~"    | !#$%&()*+-./:;<=>?@[]^_`{}~
                    "abc";v                          | abc
                    "abc";v=1                        | abc
                    '"abc" '                         | abc
                    "abc";  v=1;w=?0;x               | abc
                    "abc";v=-12.345;w=123456789012345 | abc
                    "abc";v="a \\" b";w=to/k:en*     | abc
                    "abc";v=*tok;*k=1;a.b-c_d*=1     | abc
                    "abc";v=:aGVsbG8=:;w=@-17;x=::   | abc
                    "abc";v=%"f%c3%bc";w=%""         | abc
                    "abc";a=1;a=2                    | abc
                    "abc";v=123456789012.123;w=0.1   | abc
                    "abc";a=AZaz09;z=:AZaz09+/:      | abc
                    "abc";v=%"%7e !~%09";w=%"%e2%82%ac" | abc
                    """)
    void is_a_string_of_rfc_9651_in_either_syntax(String value, String key) {
        assertThat(STRICT.resolve(sent(value))).isEqualTo(new KeyResult.Found(new Key(key)));
        assertThat(LENIENT.resolve(sent(value))).isEqualTo(new KeyResult.Found(new Key(key)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc",
                "8e03978e-40d5-43dd-bc93-6894a57f9324",
                "123",
                "1.5",
                "?1",
                ":YWJj:",
                "@12",
                "%x",
                "a\"b",
                "abc\"",
                "a\\b",
                "abc;v=1",
                "'abc'",
                "(abc)",
                "~!$",
                "*"
            })
    void is_bare_text_in_the_lenient_syntax_only(String value) {
        assertThat(LENIENT.resolve(sent(value))).isEqualTo(new KeyResult.Found(new Key(value)));
        assertThat(LENIENT.resolve(sent("  " + value + " "))).isEqualTo(new KeyResult.Found(new Key(value)));
        assertRefused(STRICT.resolve(sent(value)), "must be one quoted string as in RFC 9651");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"",
                "\"abc",
                "\"abc\\",
                "\"abc\\\"",
                "\"a\\bc\"",
                "\"a\\nc\"",
                "\"abc\"x",
                "\"abc\" x",
                "\"a\", \"b\"",
                "\"a\",\"b\"",
                "\"a\" \"b\"",
                "\"a\"\"b\"",
                "\"abc\";",
                "\"abc\";V=1",
                "\"abc\";1=1",
                "\"abc\";v=",
                "\"abc\" ;v=1",
                "\"abc\";v =1",
                "\"abc\";v= 1",
                "\"abc\";v=1.",
                "\"abc\";v=1.2345",
                "\"abc\";v=1234567890123.1",
                "\"abc\";v=1234567890123456",
                "\"abc\";v=-",
                "\"abc\";v=--1",
                "\"abc\";v=\"x",
                "\"abc\";v=?2",
                "\"abc\";v=?",
                "\"abc\";v=:a",
                "\"abc\";v=:a b:",
                "\"abc\";v=@1.5",
                "\"abc\";v=@",
                "\"abc\";v=%x",
                "\"abc\";v=%\"%C3%BC\"",
                "\"abc\";v=%\"%c3\"",
                "\"abc\";v=%\"%c\"",
                "\"abc\";v=%\"%g0\"",
                "\"abc\";v=%\"%`0\"",
                "\"abc\";v=%\"\u001f\"",
                "\"abc\";v=%\"\u007f\"",
                "\"abc\";v=$\"a\"",
                "\"abc\";v=%'a\"",
                "\"abc\";v=[",
                "\"abc\";v=`",
                "\"abc\";v={",
                "\"abc\";{=1",
                "\"abc\";`=1",
                "\"abc\";v=%\"a",
                "\"abc\";v=(1)",
                "\"abc\";v=\u00e9",
                "\"a\u0000b\"",
                "\"a\tb\"",
                "\"a\u007fb\"",
                "\"caf\u00e9\"",
                "\"\ud83d\ude00\"",
                "\"a\r\nX-Injected: b\""
            })
    void that_begins_with_a_quote_must_be_a_string_of_rfc_9651(String value) {
        assertRefused(STRICT.resolve(sent(value)), "must be one quoted string as in RFC 9651");
        assertRefused(LENIENT.resolve(sent(value)), "must be one quoted string as in RFC 9651");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a b",
                "a\tb",
                "\tabc",
                "abc\t",
                "a\u0000",
                "\u007f",
                "caf\u00e9",
                "\u00a0abc",
                "\u2028",
                "\ud800",
                "a\r\nb",
                "\ufeffabc",
                "\uff21"
            })
    void holds_visible_ascii_only(String value) {
        assertRefused(LENIENT.resolve(sent(value)), "is not visible ASCII");
        assertRefused(STRICT.resolve(sent(value)), "must be one quoted string");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k,k", "k, k", "a,b", ",a", "a,", ",", "k,\"k\"", "k , k", "'a,b'"})
    void that_a_proxy_joined_from_two_lines_is_refused_in_the_lenient_syntax_too(String value) {
        assertRefused(LENIENT.resolve(sent(value)), "holds a comma");
        assertRefused(STRICT.resolve(sent(value)), "must be one quoted string");
    }

    @Test
    void may_have_a_comma_within_quotes() {
        assertThat(LENIENT.resolve(sent("\"a,b\""))).isEqualTo(new KeyResult.Found(new Key("a,b")));
        assertThat(STRICT.resolve(sent("\"a,b\""))).isEqualTo(new KeyResult.Found(new Key("a,b")));
        assertRefused(LENIENT.resolve(sent("\"k\",\"k\"")), "must be one quoted string");
        assertRefused(LENIENT.resolve(sent("\"k\",k")), "must be one quoted string");
    }

    @Test
    void holds_no_space_even_where_a_string_of_rfc_9651_could() {
        assertRefused(STRICT.resolve(sent("\"a b\"")), "character 2 is not visible ASCII");
        assertRefused(LENIENT.resolve(sent("\" \"")), "character 1 is not visible ASCII");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "     ", "\"\"", " \"\" ", "\"\";v=1"})
    void is_not_empty(String value) {
        assertRefused(STRICT.resolve(sent(value)), "empty");
        assertRefused(LENIENT.resolve(sent(value)), "empty");
    }

    @Test
    void holds_up_to_255_characters_after_decoding() {
        assertThat(LENIENT.resolve(sent("k".repeat(255)))).isInstanceOf(KeyResult.Found.class);
        assertThat(STRICT.resolve(sent("\"" + "\\\"".repeat(255) + "\""))).isInstanceOf(KeyResult.Found.class);
        assertRefused(LENIENT.resolve(sent("k".repeat(256))), "256 characters, at most 255");
        assertRefused(STRICT.resolve(sent("\"" + "k".repeat(256) + "\"")), "256 characters, at most 255");
        assertRefused(LENIENT.resolve(sent("k".repeat(1_000_000))), "1000000 characters");
        assertRefused(LENIENT.resolve(sent("\"" + "\\\\".repeat(1_000_000))), "must be one quoted string");
    }

    @Test
    void is_sent_once() {
        assertRefused(LENIENT.resolve(sent("a").header("Idempotency-Key", "a")), "was sent 2 times; send it once");
        assertRefused(STRICT.resolve(sent("\"a\"").header("idempotency-key", "\"b\"")), "was sent 2 times");
    }

    @Test
    void may_be_missing_and_have_another_name() {
        assertThat(LENIENT.resolve(TestInput.empty())).isEqualTo(new KeyResult.Missing("the header Idempotency-Key"));
        assertThat(IdempotencyKeyHeader.lenient("X-Request-Id")
                        .resolve(sent("a").header("x-request-id", "b")))
                .isEqualTo(new KeyResult.Found(new Key("b")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "Idempotency Key", "Key:", "Schl\u00fcssel", "a\nb"})
    void has_a_name_that_headers_can_have(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IdempotencyKeyHeader.strict(name))
                .withMessageContaining("not a header name");
    }

    private static TestInput sent(String value) {
        return TestInput.empty().header("Idempotency-Key", value);
    }

    private static void assertRefused(KeyResult result, String reason) {
        assertThat(result).isInstanceOf(KeyResult.Invalid.class);
        assertThat(((KeyResult.Invalid) result).reason())
                .startsWith("the header Idempotency-Key ")
                .contains(reason);
    }
}

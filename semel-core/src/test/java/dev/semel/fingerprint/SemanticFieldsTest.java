package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Semantic fields")
class SemanticFieldsTest {

    private static final BodyForm FIELDS = BodyForm.fields("/amount", "/to/iban");

    @ParameterizedTest(name = "{0} = {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    {"amount":1,"to":{"iban":"x"},"at":5} | {"to":{"name":"n","iban":"x"},"amount":1.00}
                    {"amount":{"b":1,"a":2}}              | {"amount":{"a":2,"b":1},"other":3}
                    {"at":1}                              | {"at":2}
                    {"at":1}                              | [1]
                    {"at":1}                              | 7
                    {"to":"x"}                            | {"to":["x"]}
                    """)
    void ignore_every_field_that_is_not_named(String one, String other) {
        assertThat(form(one)).isEqualTo(form(other));
    }

    @ParameterizedTest(name = "{0} <> {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    {"amount":1}                          | {"amount":2}
                    {"amount":1}                          | {"amount":"1"}
                    {"amount":9007199254740993}           | {"amount":9007199254740992}
                    {"amount":null}                       | {}
                    {"amount":null}                       | {"amount":"null"}
                    {"amount":null}                       | {"amount":false}
                    {"amount":"x"}                        | {"to":{"iban":"x"}}
                    {"amount":1,"to":{"iban":null}}       | {"amount":1,"to":{}}
                    {"amount":1,"to":{"iban":"x"}}        | {"amount":1,"to":{"iban":"y"}}
                    """)
    void tell_apart_what_differs_in_a_named_field_and_missing_from_null(String one, String other) {
        assertThat(form(one)).isNotEqualTo(form(other));
    }

    @Test
    void do_not_depend_on_the_order_or_repetition_in_which_they_are_named() {
        byte[] body = "{\"a\":1,\"b\":2}".getBytes(UTF_8);

        assertThat(BodyForm.fields("/b", "/a", "/b").of(null, body))
                .isEqualTo(BodyForm.fields("/a", "/b").of(null, body));
    }

    @Test
    void count_by_their_names_too() {
        byte[] body = "{\"a\":1,\"b\":1}".getBytes(UTF_8);

        assertThat(BodyForm.fields("/a").of(null, body))
                .isNotEqualTo(BodyForm.fields("/b").of(null, body));
    }

    @Test
    void of_a_body_that_is_not_json_are_the_whole_body() {
        byte[] text = "amount=1".getBytes(UTF_8);
        byte[] duplicate = "{\"amount\":1,\"amount\":2}".getBytes(UTF_8);
        byte[] json = "{\"amount\":1}".getBytes(UTF_8);

        assertThat(FIELDS.of("application/json", text)).isEqualTo(Content.raw(text));
        assertThat(FIELDS.of("application/json", duplicate)).isEqualTo(Content.raw(duplicate));
        assertThat(FIELDS.of("text/plain", json)).isEqualTo(Content.raw(json));
        assertThat(FIELDS.of(null, json)).isEqualTo(form("{\"amount\":1,\"x\":2}"));
    }

    @Test
    void may_be_the_whole_document() {
        BodyForm whole = BodyForm.fields("");

        assertThat(whole.of(null, "{\"a\":1,\"b\":2}".getBytes(UTF_8)))
                .isEqualTo(whole.of(null, "{ \"b\":2, \"a\":1 }".getBytes(UTF_8)))
                .isNotEqualTo(whole.of(null, "{\"a\":1}".getBytes(UTF_8)));
    }

    @Test
    void must_be_named_and_be_pointers() {
        assertThatIllegalArgumentException()
                .isThrownBy(BodyForm::fields)
                .withMessageContaining("name at least one field");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BodyForm.fields("/amount", "currency"))
                .withMessageContaining("\"currency\"");
    }

    private static Content form(String json) {
        return FIELDS.of("application/json", json.getBytes(UTF_8));
    }
}

package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullAndEmptySource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A body")
class BodyFormTest {

    private static final byte[] JSON = "{\"a\":1}".getBytes(UTF_8);
    private static final byte[] SAME_JSON = "{ \"a\": 1.0 }".getBytes(UTF_8);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "application/json",
                "Application/JSON",
                "application/json;charset=utf-8",
                " application/json ; charset=\"utf-8\"",
                "application/problem+json",
                "application/vnd.api+json; profile=x",
                "application/merge-patch+JSON",
                "application/json; charset=UTF-8",
                "application/json; CHARSET = 'utf8'",
                "application/json; charset=\"u\\tf-8\"",
                "application/json; x=\"; charset=iso-8859-1\"",
                "application/json; x=\"\\\"; charset=utf-16\""
            })
    void that_is_announced_as_json_counts_by_its_meaning(String mediaType) {
        assertThat(BodyForm.byMediaType().of(mediaType, JSON))
                .isEqualTo(BodyForm.byMediaType().of(mediaType, SAME_JSON));
    }

    @ParameterizedTest
    @NullAndEmptySource
    @ValueSource(
            strings = {
                "text/plain",
                "text/plain; x=application/json",
                "application/jsonp",
                "application/json-seq",
                "application/x-www-form-urlencoded",
                "multipart/form-data; boundary=x+json",
                "json",
                "+json",
                "text/x+json",
                "application/json; charset=iso-8859-1",
                "application/json;x=1;Charset=\"UTF-16\"",
                "application/json; charset=us-ascii",
                "application/json; charset=",
                "application/json; charset=utf-8; charset=iso-8859-1",
                "application/json; charset=iso-8859-1; charset=utf-8",
                "application/json; x=\"a;b\"; charset=utf-16"
            })
    void of_another_type_counts_by_its_bytes(String mediaType) {
        assertThat(BodyForm.byMediaType().of(mediaType, JSON)).isEqualTo(Content.raw(JSON));
        assertThat(BodyForm.byMediaType().of(mediaType, SAME_JSON)).isEqualTo(Content.raw(SAME_JSON));
    }

    @Test
    void without_a_type_can_be_read_as_json_where_it_is_json() {
        BodyForm form = BodyForm.json(CanonicalJson.standard());

        assertThat(form.of(null, JSON)).isEqualTo(form.of(null, SAME_JSON));
        assertThat(form.of(null, new byte[] {1, 2})).isEqualTo(Content.raw(new byte[] {1, 2}));
        assertThat(form.of(null, new byte[0])).isEqualTo(Content.raw(new byte[0]));
    }

    @Test
    void that_is_json_differs_from_the_same_bytes_as_text() {
        assertThat(BodyForm.byMediaType().of("application/json", JSON))
                .isNotEqualTo(BodyForm.raw().of("application/json", JSON));
    }
}

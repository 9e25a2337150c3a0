package dev.semel.fingerprint;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A JSON pointer")
class PointerTest {

    private static final String DOCUMENT = """
            {"foo": ["bar", {"z": 1, "b": 2}], "": 0, "a/b": 1, "c%d": 2, "m~n": 8, "~1": 9, " ": 7,
             "x": {"0": "zero", "01": "one", "-": "dash", "": {"": "deep"}}, "n": null}
            """;

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    /foo      | ["bar",{"b":2,"z":1}]
                    /foo/0    | "bar"
                    /foo/1    | {"b":2,"z":1}
                    /foo/1/b  | 2
                    /         | 0
                    /a~1b     | 1
                    /c%d      | 2
                    /m~0n     | 8
                    /~01      | 9
                    `/ `      | 7
                    /x/0      | "zero"
                    /x/01     | "one"
                    /x/-      | "dash"
                    /x//      | "deep"
                    /n        | null
                    """)
    void leads_to_a_value_in_canonical_form(String pointer, String value) {
        assertThat(find(DOCUMENT, pointer)).contains(value);
    }

    @Test
    void that_is_empty_leads_to_the_whole_document() {
        assertThat(find("[1, 2]", "")).contains("[1,2]");
        assertThat(find("5", "")).contains("5");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/none",
                "/foo/2",
                "/foo/01",
                "/foo/00",
                "/foo/-",
                "/foo/-1",
                "/foo/+1",
                "/foo/",
                "/foo/1/c",
                "/n/x",
                "/Foo",
                "/foo/0/0",
                "/foo/4294967296",
                "/foo/1e0",
                "/a/b",
                "//"
            })
    void may_lead_nowhere(String pointer) {
        assertThat(find(DOCUMENT, pointer)).isEmpty();
    }

    @Test
    void meets_others_in_one_walk_also_where_one_value_holds_another() {
        List<Pointer> pointers = List.of(Pointer.of(""), Pointer.of("/a"), Pointer.of("/a/0"), Pointer.of("/b"));

        Map<Pointer, byte[]> found = CanonicalJson.standard()
                .select("{\"b\":2,\"a\":[1]}".getBytes(UTF_8), pointers)
                .orElseThrow();

        assertThat(found).hasSize(4);
        assertThat(new String(found.get(Pointer.of("")), UTF_8)).isEqualTo("{\"a\":[1],\"b\":2}");
        assertThat(new String(found.get(Pointer.of("/a/0")), UTF_8)).isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"foo", "foo/bar", " /foo", "#/foo", "$.foo", "~0"})
    void begins_with_a_slash(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pointer.of(text))
                .withMessageContaining("\"" + text + "\" does not begin with '/'")
                .withMessageContaining("\"/name\"");
    }

    @ParameterizedTest
    @CsvSource({"/~, 1", "/a~, 2", "/~2, 1", "/~~0, 1", "/a/~0~x, 5"})
    void escapes_with_tilde_zero_and_tilde_one_only(String text, int position) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Pointer.of(text))
                .withMessageContaining("'~' at position " + position)
                .withMessageContaining("\"~0\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a/b", "~", "~1", "/", "a~0/b"})
    void is_made_from_any_name(String name) {
        assertThat(Pointer.toMember(name).segments()).containsExactly(name);
    }

    @Test
    void has_unescaped_segments() {
        assertThat(Arrays.asList("", "/", "/a", "/a/", "//b", "/~1~0/~01").stream()
                        .map(text -> Pointer.of(text).segments()))
                .containsExactly(
                        List.of(), List.of(""), List.of("a"), List.of("a", ""), List.of("", "b"), List.of("/~", "~1"));
    }

    private static Optional<String> find(String json, String pointer) {
        return CanonicalJson.standard()
                .select(json.getBytes(UTF_8), List.of(Pointer.of(pointer)))
                .map(found -> found.get(Pointer.of(pointer)))
                .map(value -> new String(value, UTF_8));
    }
}

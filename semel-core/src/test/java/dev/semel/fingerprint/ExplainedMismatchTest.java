package dev.semel.fingerprint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Refusal.Mismatch;
import dev.semel.Refusal.Mismatch.Difference;
import dev.semel.Refusal.Mismatch.Kind;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("what explains a mismatch")
class ExplainedMismatchTest {

    private static final int MOST_BYTES = 480;
    private static final int MUTATIONS = 100_000;

    private static Mac keyed(int key) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            byte[] secret = new byte[32];
            Arrays.fill(secret, (byte) key);
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static Parts.Builder head() {
        return Parts.builder()
                .add("method", "POST")
                .add("path", "/payments")
                .add("query", "")
                .add("media-type", "application/json");
    }

    private static Parts request(byte[] body) {
        return head().body("application/json", body).build();
    }

    private static Parts request(String body) {
        return request(body.getBytes(StandardCharsets.UTF_8));
    }

    private static Mismatch explained(Parts before, Parts now) {
        return now.differencesFrom(before.outline(keyed(1), MOST_BYTES), keyed(1));
    }

    private static List<Difference> differences(String before, String now) {
        return explained(request(before), request(now)).differences();
    }

    private static Difference body(String pointer, Kind kind) {
        return new Difference("body", pointer, kind);
    }

    private static Set<String> pointers(Mismatch mismatch) {
        return mismatch.differences().stream()
                .map(each -> each.kind().name().toLowerCase(Locale.ROOT) + " " + each.pointer())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    @DisplayName("I7: names the right pointers for at least 99 % of 100,000 random mutations, and never a wrong one")
    void random_mutations() {
        Random random = new Random(21);
        JsonDocument json = new JsonDocument(random);
        int exact = 0;
        int mutations = 0;
        while (mutations < MUTATIONS) {
            Object before = json.document();
            Object now = before;
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                now = json.mutated(now);
            }
            Parts first = request(json.spelled(before));
            Parts second = request(json.spelled(now));
            Set<String> expected = JsonDocument.differences(before, now);
            boolean same = Fingerprinter.sha256()
                    .of(first)
                    .equals(Fingerprinter.sha256().of(second));
            assertThat(same).as("%s and %s", before, now).isEqualTo(expected.isEmpty());
            mutations += same ? 0 : 1;
            Mismatch mismatch = explained(first, second);
            Set<String> found = pointers(mismatch);
            if (found.equals(expected) && !mismatch.more()) {
                exact += same ? 0 : 1;
            } else {
                assertCoarser(found, expected);
            }
        }
        assertThat(exact).isGreaterThanOrEqualTo(MUTATIONS / 100 * 99);
    }

    /** What does not fit into an outline is named by what it lies in. */
    private static void assertCoarser(Set<String> found, Set<String> expected) {
        assertThat(found).isNotEmpty();
        assertThat(found)
                .allMatch(
                        each -> expected.stream().anyMatch(real -> pointer(real).startsWith(pointer(each))));
        assertThat(expected)
                .allMatch(real -> found.stream().anyMatch(each -> pointer(real).startsWith(pointer(each))));
    }

    private static String pointer(String difference) {
        return difference.substring(difference.indexOf(' ') + 1);
    }

    @Test
    void names_members_that_are_changed_added_or_missing_and_elements_by_their_index() {
        assertThat(differences(
                        "{\"amountCents\":100,\"currency\":\"EUR\",\"items\":[1,2],\"to\":{\"iban\":\"DE1\"}}",
                        "{\"amountCents\":250,\"items\":[1,3,4],\"note\":\"x\",\"to\":{\"iban\":\"DE1\"}}"))
                .containsExactly(
                        body("/amountCents", Kind.CHANGED),
                        body("/currency", Kind.MISSING),
                        body("/items/1", Kind.CHANGED),
                        body("/items/2", Kind.ADDED),
                        body("/note", Kind.ADDED));
        assertThat(differences("{\"a\":{\"b\":1}}", "{\"a\":[1]}")).containsExactly(body("/a", Kind.CHANGED));
        assertThat(differences("{\"a\":{}}", "{\"a\":[]}")).containsExactly(body("/a", Kind.CHANGED));
        assertThat(differences("{\"a\":null}", "{}")).containsExactly(body("/a", Kind.MISSING));
        assertThat(differences("{}", "{\"a/b~\":{\"c\":1}}")).containsExactly(body("/a~1b~0", Kind.ADDED));
        assertThat(differences("[1]", "{}")).containsExactly(body("", Kind.CHANGED));
        assertThat(differences("1", "2")).containsExactly(body("", Kind.CHANGED));
        assertThat(differences("{\"a\":\"]}\\\"\",\"b\":1}", "{\"a\":\"]}\\\"\",\"b\":2}"))
                .containsExactly(body("/b", Kind.CHANGED));
    }

    @Test
    void names_nothing_that_is_only_spelled_differently() {
        assertThat(differences("{\"a\":1.50,\"b\":\"é\"}", "{ \"b\":\"\\u00e9\", \"a\":150e-2}"))
                .isEmpty();
        assertThat(differences("{\"a\":9007199254740992}", "{\"a\":9007199254740993}"))
                .containsExactly(body("/a", Kind.CHANGED));
    }

    @Test
    void names_the_other_parts_of_a_request() {
        Parts before = Parts.builder()
                .add("method", "POST")
                .add("path", "/payments")
                .add("query", "a=1")
                .add("media-type", "application/json")
                .add("header x-tenant", "acme")
                .add("header x-two", "1")
                .add("header x-two", "2")
                .body("application/json", "{}".getBytes(StandardCharsets.UTF_8))
                .build();
        Parts now = Parts.builder()
                .add("method", "PUT")
                .add("path", "/payments/1")
                .add("query", "a=2")
                .add("media-type", "text/plain")
                .add("header x-two", "1")
                .add("content-encoding", "gzip")
                .body("text/plain", "{}".getBytes(StandardCharsets.UTF_8))
                .build();
        assertThat(explained(before, now).differences())
                .containsExactly(
                        new Difference("method", null, Kind.CHANGED),
                        new Difference("path", null, Kind.CHANGED),
                        new Difference("query", null, Kind.CHANGED),
                        new Difference("media-type", null, Kind.CHANGED),
                        new Difference("content-encoding", null, Kind.ADDED),
                        new Difference("body", null, Kind.CHANGED),
                        new Difference("header x-tenant", null, Kind.MISSING),
                        new Difference("header x-two", null, Kind.MISSING));
    }

    @Test
    void names_selected_fields_alone_where_only_they_count() {
        BodyForm fields = BodyForm.fields("/amount", "/to", "/gone", "/new");
        String before = "{\"amount\":1,\"to\":{\"iban\":\"DE1\",\"bic\":\"X\"},\"gone\":1,\"at\":\"12:00\"}";
        String now = "{\"amount\":1.0,\"to\":{\"iban\":\"DE2\",\"bic\":\"X\"},\"new\":1,\"at\":\"12:01\"}";
        assertThat(explained(inForm(fields, before), inForm(fields, now)).differences())
                .containsExactly(body("/gone", Kind.MISSING), body("/new", Kind.ADDED), body("/to/iban", Kind.CHANGED));
    }

    private static Parts inForm(BodyForm form, String body) {
        return head().body(form, "application/json", body.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    @Test
    void names_what_a_value_lies_in_where_an_outline_is_full() {
        String many = IntStream.range(0, 500).mapToObj(i -> "" + i).collect(Collectors.joining(","));
        String before = "{\"list\":[" + many + "],\"amount\":1}";
        assertThat(differences(before, "{\"list\":[9," + many + "],\"amount\":1}"))
                .containsExactly(body("/list", Kind.CHANGED));
        assertThat(differences("[" + many + "]", "[" + many + ",1]")).containsExactly(body("", Kind.CHANGED));
        assertThat(request(before).outline(keyed(1), MOST_BYTES)).hasSizeLessThanOrEqualTo(MOST_BYTES);
        assertThat(request(before).outline(keyed(1), 10)).isEmpty();
    }

    @Test
    void says_when_there_are_more_differences_than_it_lists() {
        String many = IntStream.range(0, 30).mapToObj(i -> "" + i).collect(Collectors.joining(","));
        Mismatch mismatch = explained(request("[]"), request("[" + many + "]"));
        assertThat(mismatch.differences()).hasSize(20);
        assertThat(mismatch.more()).isTrue();
    }

    @Test
    void is_short_whatever_names_a_request_has() {
        String name = "n".repeat(1000);
        assertThat(differences("{\"to\":{}}", "{\"to\":{\"" + name + "\":1}}"))
                .containsExactly(body("/to", Kind.CHANGED));
    }

    @Test
    void is_found_in_long_and_deep_documents_without_reading_them_over_and_over() {
        String text = "x".repeat(200_000);
        assertThat(differences("{\"a\":\"" + text + "\",\"b\":1}", "{\"a\":\"" + text + "\",\"b\":2}"))
                .containsExactly(body("/b", Kind.CHANGED));
        assertThat(differences("{\"a\":{\"c\":\"" + text + "\"}}", "{\"a\":{\"c\":\"" + text + "y\"}}"))
                .containsExactly(body("/a", Kind.CHANGED));
        String deep = "[".repeat(90) + "]".repeat(90);
        assertThat(differences("{\"a\":" + deep + "}", "{\"a\":[" + deep + "]}"))
                .hasSize(1);
    }

    @Test
    @DisplayName("has no value in it, and other digests for another key, another place and another part")
    void digests() {
        byte[] outline = request("{\"a\":\"s3cret\",\"b\":\"s3cret\"}").outline(keyed(1), MOST_BYTES);
        assertThat(new String(outline, StandardCharsets.ISO_8859_1)).doesNotContain("s3cret");
        Stretch value = Content.text("s3cret").stretch();
        Set<String> digests = new HashSet<>();
        for (int key : new int[] {1, 2}) {
            ValueDigests made = new ValueDigests(keyed(key));
            for (String[] place : new String[][] {{"body", "/a"}, {"body", "/b"}, {"bod", "y/a"}, {"query", "/a"}}) {
                digests.add(key + "-" + made.of(place[0], place[1], value));
            }
        }
        assertThat(digests.stream().map(each -> each.substring(1)).distinct()).hasSize(8);
    }

    @Test
    void is_nothing_where_the_outline_has_another_version() {
        byte[] outline = request("{}").outline(keyed(1), MOST_BYTES);
        outline[0]++;
        assertThat(request("[]").differencesFrom(outline, keyed(1))).isEqualTo(new Mismatch());
    }
}

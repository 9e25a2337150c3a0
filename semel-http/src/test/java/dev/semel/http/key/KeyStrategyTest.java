package dev.semel.http.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.semel.Key;
import dev.semel.fingerprint.Fingerprinter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A key strategy")
class KeyStrategyTest {

    private static KeyStrategy always(String key) {
        return input -> new KeyResult.Found(new Key(key));
    }

    private static String keyOf(KeyStrategy strategy, KeyInput input) {
        KeyResult result = strategy.resolve(input);
        assertThat(result).isInstanceOf(KeyResult.Found.class);
        return ((KeyResult.Found) result).key().value();
    }

    @Nested
    @DisplayName("by content")
    class ByContent {

        private final KeyStrategy strategy = KeyStrategy.contentHash();

        @Test
        void gives_one_key_to_every_spelling_of_one_request() {
            String key = keyOf(strategy, TestInput.request("POST", "/orders", "{\"a\":1,\"b\":2}"));

            assertThat(key).matches("content:v1:[0-9a-f]{64}");
            assertThat(keyOf(strategy, TestInput.request("POST", "/orders", "{ \"b\":2.0, \"a\":1 }")))
                    .isEqualTo(key);
        }

        @Test
        void gives_different_keys_to_different_requests() {
            Stream<TestInput> inputs = Stream.of(
                    TestInput.request("POST", "/orders", "{\"a\":1}"),
                    TestInput.request("PUT", "/orders", "{\"a\":1}"),
                    TestInput.request("POST", "/order", "{\"a\":1}"),
                    TestInput.request("POST", "/orders", "{\"a\":2}"),
                    TestInput.request("POST", "/orders", "{\"a\":1}").query("x=1"),
                    TestInput.request("POST", "/orders", ""),
                    TestInput.message("{\"a\":1}"),
                    TestInput.message(""));

            assertThat(inputs.map(input -> keyOf(strategy, input)).distinct()).hasSize(8);
        }

        @Test
        void is_the_fingerprint_of_what_is_sent() {
            TestInput request = TestInput.request("POST", "/orders", "{\"a\":1}");

            assertThat(keyOf(strategy, request))
                    .isEqualTo("content:" + Fingerprinter.sha256().of(request.parts()));
        }

        @Test
        void refuses_a_body_beyond_the_limits() {
            assertThat(strategy.resolve(TestInput.request("POST", "/", "[".repeat(101))))
                    .isEqualTo(new KeyResult.Invalid("the JSON body is nested more than 100 levels deep"));
        }
    }

    @Nested
    @DisplayName("by user and action")
    class ByUserAndAction {

        @ParameterizedTest(name = "{0}, {1}, {2} -> {3}")
        @CsvSource({
            "alice, transfer, k1, alice:transfer:k1",
            "a:b, c, d, a%3Ab:c:d",
            "a, b:c, d, a:b%3Ac:d",
            "a, b, c:d, a:b:c%3Ad",
            "a%3Ab, c, d, a%253Ab:c:d",
            "100%, x, y, 100%25:x:y"
        })
        void joins_the_parts_without_letting_them_run_together(String user, String action, String key, String joined) {
            KeyStrategy strategy = KeyStrategy.userAction(action, always(key));

            assertThat(keyOf(strategy, TestInput.empty().user(user))).isEqualTo(joined);
        }

        @Test
        void hashes_what_would_be_too_long_or_hold_control_characters() {
            List<String> users = List.of("u".repeat(300), "u".repeat(301), "u\n", "u\t", "u\ud800", "u\ud801");

            List<String> keys = users.stream()
                    .map(user -> keyOf(
                            KeyStrategy.userAction("a", always("k")),
                            TestInput.empty().user(user)))
                    .toList();

            assertThat(keys).doesNotHaveDuplicates().allMatch(key -> key.matches("%sha256:[0-9a-f]{64}"));
        }

        @Test
        void cannot_be_led_to_the_hash_of_another_key() {
            String hashed = keyOf(
                    KeyStrategy.userAction("a", always("k")), TestInput.empty().user("u".repeat(300)));

            assertThat(keyOf(
                            KeyStrategy.userAction("a", always(hashed)),
                            TestInput.empty().user("%sha256")))
                    .startsWith("%25sha256:a:%25sha256%3A");
        }

        @ParameterizedTest
        @ValueSource(strings = {"", " "})
        void needs_a_user(String blank) {
            KeyStrategy strategy = KeyStrategy.userAction("transfer", always("k"));

            assertThat(strategy.resolve(TestInput.empty())).isEqualTo(new KeyResult.Missing("an authenticated user"));
            assertThat(strategy.resolve(TestInput.empty().user(blank)))
                    .isEqualTo(new KeyResult.Missing("an authenticated user"));
        }

        @Test
        void passes_on_that_the_inner_key_is_missing_or_invalid_and_needs_an_action() {
            KeyStrategy strategy = KeyStrategy.userAction("transfer", KeyStrategy.fromHeader("Idempotency-Key"));

            assertThat(strategy.resolve(TestInput.empty().user("u")))
                    .isEqualTo(new KeyResult.Missing("the header Idempotency-Key"));
            assertThat(strategy.resolve(TestInput.empty().user("u").header("Idempotency-Key", "")))
                    .isInstanceOf(KeyResult.Invalid.class);
            assertThatIllegalArgumentException().isThrownBy(() -> KeyStrategy.userAction(" ", always("k")));
        }
    }

    @Nested
    @DisplayName("by time window")
    class ByTimeWindow {

        private String keyAt(String instant, Duration window) {
            InstantSource clock = InstantSource.fixed(Instant.parse(instant));
            return keyOf(KeyStrategy.timeWindow(window, clock, always("k:1")), TestInput.empty());
        }

        @Test
        void gives_one_key_within_a_window_and_another_in_the_next() {
            Duration window = Duration.ofMinutes(5);

            assertThat(keyAt("1970-01-01T00:12:00Z", window)).isEqualTo("2:k%3A1");
            assertThat(keyAt("2026-01-01T10:00:00Z", window))
                    .isEqualTo(keyAt("2026-01-01T10:04:59.999Z", window))
                    .isNotEqualTo(keyAt("2026-01-01T10:05:00Z", window))
                    .isNotEqualTo(keyAt("2026-01-01T09:59:59.999Z", window));
        }

        @Test
        void has_windows_before_1970_too() {
            assertThat(keyAt("1969-12-31T23:59:59Z", Duration.ofMinutes(5))).isEqualTo("-1:k%3A1");
        }

        @Test
        void may_be_as_short_as_a_millisecond() {
            assertThat(keyAt("1970-01-01T00:00:00.007999Z", Duration.ofMillis(1)))
                    .isEqualTo("7:k%3A1");
        }

        @Test
        void hashes_what_would_be_too_long() {
            KeyStrategy strategy = KeyStrategy.timeWindow(
                    Duration.ofMinutes(1), InstantSource.fixed(Instant.EPOCH), always("k".repeat(255)));

            assertThat(keyOf(strategy, TestInput.empty())).matches("%sha256:[0-9a-f]{64}");
        }

        @Test
        void needs_a_window_and_passes_on_what_the_inner_strategy_did_not_find() {
            InstantSource clock = InstantSource.fixed(Instant.EPOCH);

            for (Duration window : List.of(Duration.ZERO, Duration.ofMinutes(-1), Duration.ofNanos(999_999))) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> KeyStrategy.timeWindow(window, clock, always("k")))
                        .withMessageContaining("at least 1 ms");
            }
            assertThat(KeyStrategy.timeWindow(Duration.ofMinutes(1), clock, KeyStrategy.fromField("id"))
                            .resolve(TestInput.empty()))
                    .isEqualTo(new KeyResult.Missing("the field /id of the body"));
        }
    }

    @Nested
    @DisplayName("that combines others")
    class Combined {

        private final KeyStrategy headerOrField =
                KeyStrategy.fromHeader("Idempotency-Key").orElse(KeyStrategy.fromField("id"));

        @Test
        void takes_the_first_key_that_is_found() {
            TestInput both = TestInput.message("{\"id\":\"field\"}").header("Idempotency-Key", "header");

            assertThat(keyOf(headerOrField, both)).isEqualTo("header");
            assertThat(keyOf(headerOrField, TestInput.message("{\"id\":\"field\"}")))
                    .isEqualTo("field");
        }

        @Test
        void stops_at_an_invalid_key() {
            TestInput invalid = TestInput.message("{\"id\":\"field\"}").header("Idempotency-Key", "a b");

            assertThat(headerOrField.resolve(invalid)).isInstanceOf(KeyResult.Invalid.class);
        }

        @Test
        void says_everything_that_was_looked_for() {
            assertThat(headerOrField.orElse(KeyStrategy.fromField("/eventId")).resolve(TestInput.empty()))
                    .isEqualTo(
                            new KeyResult.Missing(
                                    "the header Idempotency-Key or the field /id of the body or the field /eventId of the body"));
        }

        @Test
        void applies_rules_to_the_decoded_key() {
            KeyStrategy ruled = KeyStrategy.fromHeader("Idempotency-Key").withRules(KeyRules.NONE.withMinLength(4));

            assertThat(ruled.resolve(TestInput.empty().header("Idempotency-Key", "\"abc\"")))
                    .isInstanceOf(KeyResult.Invalid.class);
            assertThat(keyOf(ruled, TestInput.empty().header("Idempotency-Key", "abcd")))
                    .isEqualTo("abcd");
            assertThat(ruled.resolve(TestInput.empty())).isInstanceOf(KeyResult.Missing.class);
        }
    }
}

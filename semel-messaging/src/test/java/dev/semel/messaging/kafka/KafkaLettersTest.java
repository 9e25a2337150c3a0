package dev.semel.messaging.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.Letter;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("What tells records of Kafka apart:")
class KafkaLettersTest {

    private static final KafkaLetters BY_HEADER = KafkaLetters.fromHeader("id");
    private static final KafkaLetters BY_FIELD = KafkaLetters.fromField("/order/id");

    private static ConsumerRecord<byte[], byte[]> message(long offset, @Nullable String key, @Nullable String value) {
        return new ConsumerRecord<>(
                "orders",
                3,
                offset,
                key == null ? null : key.getBytes(UTF_8),
                value == null ? null : value.getBytes(UTF_8));
    }

    private static ConsumerRecord<byte[], byte[]> message(@Nullable String value) {
        return message(7, "key", value);
    }

    private static ConsumerRecord<byte[], byte[]> withHeader(byte @Nullable [] header) {
        ConsumerRecord<byte[], byte[]> message = message("{}");
        message.headers().add("id", header);
        return message;
    }

    private static String keyOf(KafkaLetters letters, ConsumerRecord<?, ?> message) {
        return letters.apply(message).key().value();
    }

    /** It is a dead letter with a reason: nobody handles it, and it is not lost. */
    private static void assertThatItHasNoId(KafkaLetters letters, ConsumerRecord<?, ?> message, String because) {
        assertThatThrownBy(() -> letters.apply(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(because);
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            Inbox<ConsumerRecord<?, ?>> inbox =
                    Inbox.<ConsumerRecord<?, ?>>of(semel, "mailer", letters).build();
            assertThat(inbox.handle(message, (handled, attempt) -> {
                        throw new AssertionError("it was handled");
                    }))
                    .isEqualTo(new Delivery.DeadLetter(Delivery.DeadLetter.ID_INVALID));
        }
    }

    @Test
    void a_header_has_the_id_also_when_it_is_there_twice_with_the_same() {
        ConsumerRecord<byte[], byte[]> message = withHeader("m1".getBytes(UTF_8));
        message.headers().add("id", "m1".getBytes(UTF_8));
        assertThat(keyOf(BY_HEADER, message)).isEqualTo("m1");
    }

    @Test
    void a_header_that_is_missing_or_empty_or_contradicts_itself_has_none() {
        assertThatItHasNoId(BY_HEADER, message("{}"), "the header id");
        assertThatItHasNoId(BY_HEADER, withHeader(null), "the header id");
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[0]), "the header id");
        ConsumerRecord<byte[], byte[]> two = withHeader("m1".getBytes(UTF_8));
        two.headers().add("id", "m2".getBytes(UTF_8));
        assertThatItHasNoId(BY_HEADER, two, "two different headers");
    }

    @Test
    void a_header_of_bytes_that_are_no_text_has_none_since_others_would_look_like_it() {
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[] {(byte) 0x80}), "no text");
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[] {(byte) 0x81}), "no text");
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[] {0, 1, 2}), "control character");
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[70_000]), "70000 characters");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"order":{"id":"a-1"}}          | a-1
                    {"order":{"id":"\\u00e4"}}      | ä
                    {"order":{"id":17}}             | 17
                    {"order":{"id":-17}}            | -17
                    {"order":{"id":12345678901234567890}} | 12345678901234567890
                    """)
    void a_field_has_the_id_when_it_is_a_text_or_a_whole_number(String value, String id) {
        assertThat(keyOf(BY_FIELD, message(value))).isEqualTo(id);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not JSON",
                "{\"order\":",
                "{\"order\":{}}",
                "{\"order\":{\"id\":null}}",
                "{\"order\":{\"id\":true}}",
                "{\"order\":{\"id\":1.5}}",
                "{\"order\":{\"id\":{\"a\":1}}}",
                "{\"order\":{\"id\":[1]}}",
                "{\"order\":{\"id\":\"a\",\"id\":\"b\"}}",
                "[1]"
            })
    void a_field_that_is_missing_or_anything_else_has_none(String value) {
        assertThatItHasNoId(BY_FIELD, message(value), "the field /order/id");
    }

    @Test
    void a_field_has_none_without_a_value_or_in_a_value_that_is_too_deep_to_read_or_when_it_is_empty() {
        assertThatItHasNoId(BY_FIELD, message(null), "the field /order/id");
        assertThatItHasNoId(BY_FIELD, message("[".repeat(5_000)), "");
        assertThatItHasNoId(BY_FIELD, message("{\"order\":{\"id\":\"\"}}"), "empty");
    }

    @Test
    void the_position_tells_records_apart_whatever_they_say() {
        Letter first = KafkaLetters.fromPosition().apply(message(7, null, null));
        assertThat(first.key().value()).isEqualTo("orders-3-7");
        assertThat(KafkaLetters.fromPosition().apply(message(7, null, null))).isEqualTo(first);
        assertThat(keyOf(KafkaLetters.fromPosition(), message(8, null, null))).isEqualTo("orders-3-8");
    }

    @Test
    void the_content_is_topic_key_and_value_wherever_they_are_and_nothing_is_not_empty() {
        KafkaLetters letters = KafkaLetters.fromContent();
        String key = keyOf(letters, message(1, "k", "{\"a\":1,\"b\":2}"));
        assertThat(keyOf(letters, message(2, "k", "{\"b\":2,\"a\":1}"))).isEqualTo(key);
        assertThat(keyOf(letters, message(1, "other", "{\"a\":1,\"b\":2}"))).isNotEqualTo(key);
        assertThat(keyOf(letters, message(1, null, "v"))).isNotEqualTo(keyOf(letters, message(1, "", "v")));
        assertThat(keyOf(letters, message(1, "k", null))).isNotEqualTo(keyOf(letters, message(1, "k", "")));
        assertThat(keyOf(letters, new ConsumerRecord<>("refunds", 3, 1, "k", "v")))
                .isNotEqualTo(keyOf(letters, new ConsumerRecord<>("orders", 3, 1, "k", "v")));
    }

    @Test
    void others_serve_for_a_record_that_has_no_id() {
        KafkaLetters letters = BY_HEADER.orElse(BY_FIELD).orElse(KafkaLetters.fromPosition());
        assertThat(keyOf(letters, withHeader("m1".getBytes(UTF_8)))).isEqualTo("m1");
        assertThat(keyOf(letters, message("{\"order\":{\"id\":\"a-1\"}}"))).isEqualTo("a-1");
        assertThat(keyOf(letters, message(null))).isEqualTo("orders-3-7");
        assertThatItHasNoId(BY_HEADER.orElse(BY_FIELD), message(null), "the header id, or the field /order/id");
    }

    @Test
    void a_value_counts_by_its_bytes_however_it_was_deserialized() {
        Letter bytes = KafkaLetters.fromPosition().apply(message("text"));
        assertThat(KafkaLetters.fromPosition().apply(new ConsumerRecord<>("orders", 3, 7, "key", "text")))
                .isEqualTo(bytes);
        assertThat(KafkaLetters.fromPosition()
                        .apply(new ConsumerRecord<>("orders", 3, 7, "key", ByteBuffer.wrap("text".getBytes(UTF_8)))))
                .isEqualTo(bytes);
    }

    @Test
    void an_object_needs_to_be_told_what_its_bytes_are_and_comes_again_until_then() {
        ConsumerRecord<String, Map<String, String>> message =
                new ConsumerRecord<>("orders", 3, 7, "key", Map.of("a", "b"));
        assertThatThrownBy(() -> KafkaLetters.fromPosition().apply(message))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("contentBy");
        assertThat(keyOf(
                        KafkaLetters.fromPosition()
                                .contentBy(value -> value.toString().getBytes(UTF_8)),
                        message))
                .isEqualTo("orders-3-7");
    }
}

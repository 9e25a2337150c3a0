package dev.semel.messaging.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageIdentity;
import java.nio.ByteBuffer;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The identity of a Kafka record:")
class KafkaMessageIdsTest {

    private static final KafkaMessageIds BY_HEADER = KafkaMessageIds.fromHeader("id");
    private static final KafkaMessageIds BY_FIELD = KafkaMessageIds.fromField("/order/id");

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

    private static String keyOf(KafkaMessageIds ids, ConsumerRecord<?, ?> message) {
        return ids.apply(message).key().value();
    }

    /** The record is a dead letter with a reason, and is not handled. */
    private static void assertThatItHasNoId(KafkaMessageIds ids, ConsumerRecord<?, ?> message, String because) {
        assertThatThrownBy(() -> ids.apply(message))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(because);
        try (SemelEngine semel = SemelEngine.on(new MemoryStore()).build()) {
            Inbox<ConsumerRecord<?, ?>> inbox =
                    Inbox.<ConsumerRecord<?, ?>>of(semel, "mailer", ids).build();
            assertThat(inbox.handle(message, (handled, attempt) -> {
                        throw new AssertionError("it was handled");
                    }))
                    .isEqualTo(new Delivery.DeadLetter(Delivery.DeadLetter.ID_INVALID));
        }
    }

    @Test
    void a_header_holds_the_id_also_when_it_is_repeated_with_the_same_value() {
        ConsumerRecord<byte[], byte[]> message = withHeader("m1".getBytes(UTF_8));
        message.headers().add("id", "m1".getBytes(UTF_8));
        assertThat(keyOf(BY_HEADER, message)).isEqualTo("m1");
    }

    @Test
    void a_header_that_is_missing_empty_or_repeated_with_other_values_holds_no_id() {
        assertThatItHasNoId(BY_HEADER, message("{}"), "the header id");
        assertThatItHasNoId(BY_HEADER, withHeader(null), "the header id");
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[0]), "the header id");
        ConsumerRecord<byte[], byte[]> two = withHeader("m1".getBytes(UTF_8));
        two.headers().add("id", "m2".getBytes(UTF_8));
        assertThatItHasNoId(BY_HEADER, two, "two headers id with different values");
    }

    @Test
    void a_header_of_bytes_that_are_not_text_holds_no_id() {
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[] {(byte) 0x80}), "not valid UTF-8 text");
        assertThatItHasNoId(BY_HEADER, withHeader(new byte[] {(byte) 0x81}), "not valid UTF-8 text");
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
    void a_field_holds_the_id_when_it_is_a_string_or_an_integer(String value, String id) {
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
    void a_field_that_is_missing_or_of_another_type_holds_no_id(String value) {
        assertThatItHasNoId(BY_FIELD, message(value), "the field /order/id");
    }

    @Test
    void a_field_holds_no_id_without_a_value_in_a_too_deep_value_or_when_empty() {
        assertThatItHasNoId(BY_FIELD, message(null), "the field /order/id");
        assertThatItHasNoId(BY_FIELD, message("[".repeat(5_000)), "");
        assertThatItHasNoId(BY_FIELD, message("{\"order\":{\"id\":\"\"}}"), "empty");
    }

    @Test
    void the_position_identifies_records_independent_of_content() {
        MessageIdentity first = KafkaMessageIds.fromPosition().apply(message(7, null, null));
        assertThat(first.key().value()).isEqualTo("orders-3-7");
        assertThat(KafkaMessageIds.fromPosition().apply(message(7, null, null))).isEqualTo(first);
        assertThat(keyOf(KafkaMessageIds.fromPosition(), message(8, null, null)))
                .isEqualTo("orders-3-8");
    }

    @Test
    void the_content_is_topic_key_and_value_and_null_differs_from_empty() {
        KafkaMessageIds ids = KafkaMessageIds.fromContent();
        String key = keyOf(ids, message(1, "k", "{\"a\":1,\"b\":2}"));
        assertThat(keyOf(ids, message(2, "k", "{\"b\":2,\"a\":1}"))).isEqualTo(key);
        assertThat(keyOf(ids, message(1, "other", "{\"a\":1,\"b\":2}"))).isNotEqualTo(key);
        assertThat(keyOf(ids, message(1, null, "v"))).isNotEqualTo(keyOf(ids, message(1, "", "v")));
        assertThat(keyOf(ids, message(1, "k", null))).isNotEqualTo(keyOf(ids, message(1, "k", "")));
        assertThat(keyOf(ids, new ConsumerRecord<>("refunds", 3, 1, "k", "v")))
                .isNotEqualTo(keyOf(ids, new ConsumerRecord<>("orders", 3, 1, "k", "v")));
    }

    @Test
    void the_fallback_identifies_a_record_that_has_no_id() {
        KafkaMessageIds ids = BY_HEADER.orElse(BY_FIELD).orElse(KafkaMessageIds.fromPosition());
        assertThat(keyOf(ids, withHeader("m1".getBytes(UTF_8)))).isEqualTo("m1");
        assertThat(keyOf(ids, message("{\"order\":{\"id\":\"a-1\"}}"))).isEqualTo("a-1");
        assertThat(keyOf(ids, message(null))).isEqualTo("orders-3-7");
        assertThatItHasNoId(BY_HEADER.orElse(BY_FIELD), message(null), "the header id, or the field /order/id");
    }

    @Test
    void a_value_is_compared_by_its_bytes_for_every_deserializer() {
        MessageIdentity bytes = KafkaMessageIds.fromPosition().apply(message("text"));
        assertThat(KafkaMessageIds.fromPosition().apply(new ConsumerRecord<>("orders", 3, 7, "key", "text")))
                .isEqualTo(bytes);
        assertThat(KafkaMessageIds.fromPosition()
                        .apply(new ConsumerRecord<>("orders", 3, 7, "key", ByteBuffer.wrap("text".getBytes(UTF_8)))))
                .isEqualTo(bytes);
    }

    @Test
    void an_object_needs_contentBy_and_is_redelivered_without_it() {
        ConsumerRecord<String, Map<String, String>> message =
                new ConsumerRecord<>("orders", 3, 7, "key", Map.of("a", "b"));
        assertThatThrownBy(() -> KafkaMessageIds.fromPosition().apply(message))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("contentBy");
        assertThat(keyOf(
                        KafkaMessageIds.fromPosition()
                                .contentBy(value -> value.toString().getBytes(UTF_8)),
                        message))
                .isEqualTo("orders-3-7");
    }
}

package dev.semel.messaging.kafka;

import dev.semel.Key;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.fingerprint.Pointer;
import dev.semel.messaging.Letter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * What tells records of Kafka apart.
 *
 * <p>A record that has no id by the chosen way is no message that could be recognized again: it becomes a dead letter, unless
 * {@link #orElse} says how else to tell it apart.
 *
 * <pre>{@code
 * KafkaLetters.fromHeader("idempotency-key").orElse(KafkaLetters.fromPosition())
 * }</pre>
 */
public final class KafkaLetters implements Function<ConsumerRecord<?, ?>, Letter> {

    /** Where producers put a message's id, unless told otherwise. */
    public static final String DEFAULT_HEADER = "idempotency-key";

    private static final String JSON = "application/json";

    /** How a record is told apart; null when it has no id by this way. */
    private interface Way {
        @Nullable
        Letter find(ConsumerRecord<?, ?> message, byte[] content);
    }

    private final Way way;
    private final String description;
    private final Function<Object, byte[]> contents;

    private KafkaLetters(Way way, String description, Function<Object, byte[]> contents) {
        this.way = way;
        this.description = description;
        this.contents = contents;
    }

    private KafkaLetters(Way way, String description) {
        this(way, description, RecordContent::of);
    }

    /** By a header that the producer sets once per message, and again when it repeats the message. */
    public static KafkaLetters fromHeader(String name) {
        return new KafkaLetters(
                (message, content) -> {
                    String id = header(message, name);
                    return id == null ? null : Letter.withId(id, content);
                },
                "the header " + name);
    }

    /**
     * By topic, partition and offset: recognizes what the broker delivers again, but not what a producer sends twice. A topic
     * that was deleted and made anew needs another consumer group.
     */
    public static KafkaLetters fromPosition() {
        return new KafkaLetters(
                (message, content) ->
                        Letter.withId(message.topic() + "-" + message.partition() + "-" + message.offset(), content),
                "its position");
    }

    /** By a member of the JSON in the record's value, such as {@code /orderId}: a text, or a whole number. */
    public static KafkaLetters fromField(String pointer) {
        Pointer field = Pointer.of(pointer);
        return new KafkaLetters(
                (message, content) -> {
                    String id = field(field, content);
                    return id == null ? null : Letter.withId(id, content);
                },
                "the field " + pointer);
    }

    /** By topic, key and value: the same again is the same message. Only for what never happens twice in the same words. */
    public static KafkaLetters fromContent() {
        return new KafkaLetters(KafkaLetters::byContent, "its content");
    }

    /** These, and for a record that has no id by them, others. */
    public KafkaLetters orElse(KafkaLetters others) {
        return new KafkaLetters(
                (message, content) -> {
                    Letter letter = way.find(message, content);
                    return letter == null ? others.way.find(message, content) : letter;
                },
                description + ", or " + others.description,
                contents);
    }

    /** The same, with the bytes of values that are neither bytes nor text, since a deserializer has made objects of them. */
    public KafkaLetters contentBy(Function<Object, byte[]> bytes) {
        return new KafkaLetters(way, description, bytes);
    }

    /** @throws IllegalArgumentException when the record cannot be told apart */
    @Override
    public Letter apply(ConsumerRecord<?, ?> message) {
        Object value = message.value();
        Letter letter = way.find(message, value == null ? new byte[0] : contents.apply(value));
        if (letter == null) {
            throw new IllegalArgumentException("a record has no id: it is told apart by " + description);
        }
        return letter;
    }

    private static @Nullable String header(ConsumerRecord<?, ?> message, String name) {
        String found = null;
        for (Header header : message.headers().headers(name)) {
            if (header.value() == null || header.value().length == 0) {
                continue;
            }
            String value = new String(header.value(), StandardCharsets.UTF_8);
            if (found != null && !found.equals(value)) {
                throw new IllegalArgumentException("a record has two different headers " + name);
            }
            found = value;
        }
        return found;
    }

    private static @Nullable String field(Pointer field, byte[] content) {
        byte[] value;
        try {
            value = CanonicalJson.standard()
                    .select(content, List.of(field))
                    .flatMap(values -> Optional.ofNullable(values.get(field)))
                    .orElse(null);
        } catch (BodyLimitException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (value == null) {
            return null;
        }
        String text = new String(value, StandardCharsets.UTF_8);
        if (text.startsWith("\"")) {
            return CanonicalJson.text(value);
        }
        return text.matches("-?[0-9]+") ? text : null;
    }

    private static Letter byContent(ConsumerRecord<?, ?> message, byte[] content) {
        Parts.Builder parts = Parts.builder().add("topic", message.topic());
        if (message.key() != null) {
            parts.add("key", RecordContent.of(message.key()));
        }
        if (message.value() != null) {
            parts.body(JSON, content);
        }
        var fingerprint = Fingerprinter.sha256().of(parts.build());
        String digest = fingerprint.value().substring(fingerprint.value().indexOf(':') + 1);
        return new Letter(Key.of("content:" + digest), fingerprint);
    }
}

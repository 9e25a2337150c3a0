package dev.semel.messaging.kafka;

import dev.semel.Key;
import dev.semel.fingerprint.BodyLimitException;
import dev.semel.fingerprint.CanonicalJson;
import dev.semel.fingerprint.Fingerprinter;
import dev.semel.fingerprint.Parts;
import dev.semel.fingerprint.Pointer;
import dev.semel.messaging.MessageIdentity;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * Reads the identity of Kafka records.
 *
 * <p>A record without an id cannot be recognized when it is redelivered: it becomes a dead letter, unless {@link #orElse} names
 * another source.
 *
 * <pre>{@code
 * KafkaMessageIds.fromHeader("idempotency-key").orElse(KafkaMessageIds.fromPosition())
 * }</pre>
 */
public final class KafkaMessageIds implements Function<ConsumerRecord<?, ?>, MessageIdentity> {

    /** The header that producers write a message's id to by default. */
    public static final String DEFAULT_HEADER = "idempotency-key";

    private static final String JSON = "application/json";

    /** Reads the identity from one place; null when the record has no id there. */
    private interface IdSource {
        @Nullable
        MessageIdentity find(ConsumerRecord<?, ?> message, byte[] content);
    }

    private final IdSource source;
    private final String description;
    private final Function<Object, byte[]> contents;

    private KafkaMessageIds(IdSource source, String description, Function<Object, byte[]> contents) {
        this.source = source;
        this.description = description;
        this.contents = contents;
    }

    private KafkaMessageIds(IdSource source, String description) {
        this(source, description, RecordContent::of);
    }

    /** By a header that the producer sets to the same value whenever it sends the message. */
    public static KafkaMessageIds fromHeader(String name) {
        return new KafkaMessageIds(
                (message, content) -> {
                    String id = header(message, name);
                    return id == null ? null : MessageIdentity.withId(id, content);
                },
                "the header " + name);
    }

    /**
     * By topic, partition and offset: recognizes redeliveries of the broker, but not messages that a producer sends twice. A
     * topic that was deleted and created again needs another consumer group.
     */
    public static KafkaMessageIds fromPosition() {
        return new KafkaMessageIds(
                (message, content) -> MessageIdentity.withId(
                        message.topic() + "-" + message.partition() + "-" + message.offset(), content),
                "its position");
    }

    /** By a member of the JSON in the record's value, such as {@code /orderId}: a string or an integer. */
    public static KafkaMessageIds fromField(String pointer) {
        Pointer field = Pointer.of(pointer);
        return new KafkaMessageIds(
                (message, content) -> {
                    String id = field(field, content);
                    return id == null ? null : MessageIdentity.withId(id, content);
                },
                "the field " + pointer);
    }

    /** By topic, key and value. Only for events of which no two have the same content. */
    public static KafkaMessageIds fromContent() {
        return new KafkaMessageIds(KafkaMessageIds::byContent, "its content");
    }

    /** These ids, and the fallback's for a record that has none. */
    public KafkaMessageIds orElse(KafkaMessageIds fallback) {
        return new KafkaMessageIds(
                (message, content) -> {
                    MessageIdentity identity = source.find(message, content);
                    return identity == null ? fallback.source.find(message, content) : identity;
                },
                description + ", or " + fallback.description,
                contents);
    }

    /** The same ids, with a function for the bytes of values that a deserializer turned into objects. */
    public KafkaMessageIds contentBy(Function<Object, byte[]> bytes) {
        return new KafkaMessageIds(source, description, bytes);
    }

    /** @throws IllegalArgumentException when the record has no id */
    @Override
    public MessageIdentity apply(ConsumerRecord<?, ?> message) {
        Object value = message.value();
        MessageIdentity identity = source.find(message, value == null ? new byte[0] : contents.apply(value));
        if (identity == null) {
            throw new IllegalArgumentException("the record has no id in " + description);
        }
        return identity;
    }

    private static @Nullable String header(ConsumerRecord<?, ?> message, String name) {
        String found = null;
        for (Header header : message.headers().headers(name)) {
            if (header.value() == null || header.value().length == 0) {
                continue;
            }
            String value = new String(header.value(), StandardCharsets.UTF_8);
            if (found != null && !found.equals(value)) {
                throw new IllegalArgumentException("the record has two headers " + name + " with different values");
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

    private static MessageIdentity byContent(ConsumerRecord<?, ?> message, byte[] content) {
        Parts.Builder parts = Parts.builder().add("topic", message.topic());
        if (message.key() != null) {
            parts.add("key", RecordContent.of(message.key()));
        }
        if (message.value() != null) {
            parts.body(JSON, content);
        }
        var fingerprint = Fingerprinter.sha256().of(parts.build());
        String digest = fingerprint.value().substring(fingerprint.value().indexOf(':') + 1);
        return new MessageIdentity(Key.of("content:" + digest), fingerprint);
    }
}

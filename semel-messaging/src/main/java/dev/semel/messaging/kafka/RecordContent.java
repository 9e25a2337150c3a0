package dev.semel.messaging.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/** Keys and values of records as bytes, where these are certain. */
final class RecordContent {

    private RecordContent() {}

    /** @throws IllegalStateException when it is an object that a deserializer has made */
    static byte[] of(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes;
        }
        if (value instanceof Bytes bytes) {
            return bytes.get();
        }
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        if (value instanceof CharSequence || value instanceof Number || value instanceof UUID) {
            return value.toString().getBytes(StandardCharsets.UTF_8);
        }
        throw new IllegalStateException("a record's value is a "
                + value.getClass().getName() + ": say with KafkaLetters.contentBy what its bytes are");
    }
}

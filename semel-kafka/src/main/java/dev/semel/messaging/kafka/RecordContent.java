package dev.semel.messaging.kafka;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.common.utils.Bytes;

/** Converts keys and values of records to bytes, for types with an unambiguous conversion. */
final class RecordContent {

    private RecordContent() {}

    /** @throws IllegalStateException when the value is an object of another type */
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
        throw new IllegalStateException("the record's key or value is a "
                + value.getClass().getName()
                + ", which has no unambiguous bytes: convert values with KafkaMessageIds.contentBy");
    }
}

package dev.semel.messaging.kafka;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The topic of records that cannot be handled: {@code TOPIC.DLT}. A dead letter has the record's key, value, time and headers,
 * and additional headers with the reason and the record's position.
 */
final class DeadLetterTopic {

    static final String SUFFIX = ".DLT";

    static final String REASON = "semel-dead-letter-reason";
    static final String GROUP = "semel-dead-letter-group";
    static final String TOPIC = "semel-dead-letter-topic";
    static final String PARTITION = "semel-dead-letter-partition";
    static final String OFFSET = "semel-dead-letter-offset";

    private final Producer<byte[], byte[]> producer;
    private final String group;

    DeadLetterTopic(Producer<byte[], byte[]> producer, String group) {
        this.producer = producer;
        this.group = group;
    }

    /** Sends a dead letter; the future completes with the broker's confirmation. */
    Future<RecordMetadata> send(ConsumerRecord<byte[], byte[]> message, String reason) {
        Headers headers = new RecordHeaders(message.headers().toArray());
        put(headers, REASON, reason);
        put(headers, GROUP, group);
        put(headers, TOPIC, message.topic());
        put(headers, PARTITION, Integer.toString(message.partition()));
        put(headers, OFFSET, Long.toString(message.offset()));
        // No partition: the topic may have another number of partitions, and the producer chooses one by the key.
        return producer.send(new ProducerRecord<>(
                message.topic() + SUFFIX,
                null,
                message.timestamp() < 0 ? null : message.timestamp(),
                message.key(),
                message.value(),
                headers));
    }

    private static void put(Headers headers, String name, String value) {
        headers.remove(name).add(name, value.getBytes(StandardCharsets.UTF_8));
    }
}

package dev.semel.messaging.kafka;

import dev.semel.messaging.outbox.OutboxMessage;
import dev.semel.messaging.outbox.Publisher;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Publishes outbox messages to Kafka, each with its idempotency key in the header that {@link KafkaInbox} reads by default.
 *
 * <ol>
 *   <li>The batch is sent in its order by an idempotent producer with one request in flight: a broker that has not created a
 *       new partition yet refuses the first batch, and must not accept the second before it.
 *   <li>The batch is published when every in-sync replica has confirmed every record.
 *   <li>When a record is not confirmed, the publisher waits until no record of the batch is in flight and throws: all of the
 *       batch is then published again. Records behind the failed one may have arrived before it.
 * </ol>
 *
 * <pre>{@code
 * KafkaPublisher publisher = KafkaPublisher.to(Map.of("bootstrap.servers", "localhost:9092"));
 * OutboxRelay relay = new OutboxRelay(dataSource, publisher).start(Duration.ofMillis(100));
 * }</pre>
 */
public final class KafkaPublisher implements Publisher, AutoCloseable {

    private final Producer<byte[], byte[]> producer;

    private KafkaPublisher(Producer<byte[], byte[]> producer) {
        this.producer = producer;
    }

    /**
     * A publisher with a producer of its own.
     *
     * @param properties of Kafka's producer: at least {@code bootstrap.servers}
     * @throws IllegalArgumentException when that is missing, or when a property would lose or reorder messages
     */
    public static KafkaPublisher to(Map<String, Object> properties) {
        if (!properties.containsKey(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException(
                    "bootstrap.servers is missing: set Kafka's address, such as localhost:9092");
        }
        Map<String, Object> all = new HashMap<>(properties);
        require(
                all,
                ProducerConfig.ACKS_CONFIG,
                "all",
                "-1",
                "a message that only one broker has would be deleted from the outbox");
        require(all, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true", "true", "messages would lose their order");
        // KAFKA-14359, KAFKA-15591: the broker accepts a later batch of a producer whose first one it has just refused.
        require(
                all,
                ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
                "1",
                "1",
                "the first batch for a new partition could be refused until it expires");
        return new KafkaPublisher(new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    private static void require(Map<String, Object> properties, String name, String value, String same, String why) {
        Object given = properties.putIfAbsent(name, value);
        if (given != null
                && !given.toString().equals(value)
                && !given.toString().equals(same)) {
            throw new IllegalArgumentException(name + " is " + given + ", it must be " + value + ": " + why);
        }
    }

    @Override
    public void publish(List<OutboxMessage> messages) throws Exception {
        List<Future<RecordMetadata>> confirmations = new ArrayList<>();
        for (OutboxMessage message : messages) {
            Future<RecordMetadata> confirmation = producer.send(recordOf(message));
            confirmations.add(confirmation);
            if (hasFailed(confirmation)) {
                // The records behind it must not overtake it.
                break;
            }
        }
        producer.flush();
        for (Future<RecordMetadata> confirmation : confirmations) {
            confirmation.get();
        }
    }

    /** Whether the producer refused the record, such as one that is larger than {@code max.request.size}. */
    private static boolean hasFailed(Future<RecordMetadata> confirmation) throws InterruptedException {
        if (!confirmation.isDone()) {
            return false;
        }
        try {
            confirmation.get();
            return false;
        } catch (ExecutionException e) {
            return true;
        }
    }

    private static ProducerRecord<byte[], byte[]> recordOf(OutboxMessage message) {
        String key = message.key();
        ProducerRecord<byte[], byte[]> record = new ProducerRecord<>(
                message.destination(), key == null ? null : key.getBytes(StandardCharsets.UTF_8), message.payload());
        record.headers()
                .add(KafkaMessageIds.DEFAULT_HEADER, message.idempotencyKey().getBytes(StandardCharsets.UTF_8));
        return record;
    }

    @Override
    public void close() {
        producer.close();
    }
}

package dev.semel.messaging.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * The user's settings of Kafka's consumer, and what follows from them.
 *
 * <p>Records are read as bytes: one that cannot be decoded is then a message that its handler refuses, not one that no poll
 * gets past, and its dead letter is the same bytes.
 */
final class KafkaSettings {

    private final Map<String, Object> given;
    private final String group;

    /** @throws IllegalArgumentException when something is missing, or would lose records */
    KafkaSettings(Map<String, Object> given) {
        this.given = Map.copyOf(given);
        if (!given.containsKey(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException("bootstrap.servers is missing: where Kafka is, such as localhost:9092");
        }
        if (!(given.get(ConsumerConfig.GROUP_ID_CONFIG) instanceof String name) || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "group.id is missing: the consumer group within which each message is handled once");
        }
        if (Boolean.parseBoolean(String.valueOf(given.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)))) {
            throw new IllegalArgumentException(
                    "enable.auto.commit is true: it would commit offsets of records that have to come again");
        }
        this.group = name;
    }

    String group() {
        return group;
    }

    Consumer<byte[], byte[]> consumer() {
        Map<String, Object> properties = new HashMap<>(given);
        properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        properties.putIfAbsent(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    Producer<byte[], byte[]> producer() {
        Map<String, Object> properties = new HashMap<>(given);
        properties.keySet().retainAll(ProducerConfig.configNames());
        // The only name of which the consumer's value means nothing to a producer.
        properties.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        // The topic of dead letters may be created by the first of them: see KafkaPublisher.
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }
}

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
 * The application's consumer settings, and the clients that are created from them.
 *
 * <p>Records are read as bytes. A record that cannot be decoded then fails in its handler and becomes a dead letter with the
 * same bytes; a deserializer that fails would fail in every poll.
 */
final class KafkaSettings {

    private final Map<String, Object> given;
    private final String group;

    /** @throws IllegalArgumentException when a required setting is missing, or one would lose records */
    KafkaSettings(Map<String, Object> given) {
        this.given = Map.copyOf(given);
        if (!given.containsKey(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG)) {
            throw new IllegalArgumentException(
                    "bootstrap.servers is missing: set Kafka's address, such as localhost:9092");
        }
        if (!(given.get(ConsumerConfig.GROUP_ID_CONFIG) instanceof String name) || name.isEmpty()) {
            throw new IllegalArgumentException(
                    "group.id is missing: set the consumer group within which each message is handled once");
        }
        if (Boolean.parseBoolean(String.valueOf(given.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG)))) {
            throw new IllegalArgumentException(
                    "enable.auto.commit is true, which would commit records that must be redelivered: remove it");
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
        // The only setting whose name both have, but whose value only fits a consumer.
        properties.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        // The first dead letter may create its topic: see KafkaPublisher.
        properties.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 1);
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }
}

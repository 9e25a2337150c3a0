package dev.semel.messaging.kafka;

import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A real broker, one for all tests of this JVM; each test has topics of its own. */
public final class KafkaServer {

    private static final AtomicInteger TOPICS = new AtomicInteger();
    private static final Queue<Future<?>> SENT = new ConcurrentLinkedQueue<>();

    private KafkaServer() {}

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final EmbeddedKafkaKraftBroker BROKER = start();
        static final Producer<byte[], byte[]> PRODUCER = new KafkaProducer<>(
                Map.of(
                        "bootstrap.servers",
                        BROKER.getBrokersAsString(),
                        "acks",
                        "all",
                        "linger.ms",
                        5,
                        "metadata.max.age.ms",
                        1_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());

        private static EmbeddedKafkaKraftBroker start() {
            EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
            broker.brokerProperty("transaction.state.log.replication.factor", "1");
            broker.brokerProperty("transaction.state.log.min.isr", "1");
            // A killed member is missed soon, and a group does not wait for more members.
            broker.brokerProperty("group.min.session.timeout.ms", "500");
            broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
            broker.afterPropertiesSet();
            Runtime.getRuntime().addShutdownHook(new Thread(broker::destroy));
            return broker;
        }
    }

    public static String servers() {
        return Shared.BROKER.getBrokersAsString();
    }

    /** A new topic, and one for its dead letters. */
    public static String newTopic(int partitions) throws Exception {
        String name = "topic-" + TOPICS.incrementAndGet();
        try (Admin admin = admin()) {
            admin.createTopics(List.of(
                            new NewTopic(name, partitions, (short) 1),
                            new NewTopic(name + DeadLetterTopic.SUFFIX, 1, (short) 1)))
                    .all()
                    .get();
            // Who asks too early is told of partitions without a leader, and waits for long before it asks again.
            await().atMost(Duration.ofSeconds(30))
                    .until(() ->
                            admin.describeTopics(List.of(name)).allTopicNames().get().get(name).partitions().stream()
                                    .allMatch(partition -> partition.leader() != null));
        }
        return name;
    }

    public static Admin admin() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", servers());
        return Admin.create(properties);
    }

    /** What a consumer of this group needs, with members that are missed soon. */
    public static Map<String, Object> consumer(String group) {
        return consumer(servers(), group);
    }

    public static Map<String, Object> consumer(String servers, String group) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", servers);
        properties.put("group.id", group);
        properties.put("session.timeout.ms", 2_000);
        properties.put("heartbeat.interval.ms", 300);
        properties.put("metadata.max.age.ms", 1_000);
        return properties;
    }

    /** A record with an id in the usual header, sent to a partition. */
    public static ProducerRecord<byte[], byte[]> message(String topic, int partition, String id, String text) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, partition, bytes("key-" + id), bytes(text));
        message.headers().add(KafkaLetters.DEFAULT_HEADER, bytes(id));
        return message;
    }

    public static void send(ProducerRecord<byte[], byte[]> message) {
        SENT.add(Shared.PRODUCER.send(message));
    }

    public static void send(String topic, int partition, String id, String text) {
        send(message(topic, partition, id, text));
    }

    /** Everything that was sent is with the broker, or this fails. */
    public static void flush() throws Exception {
        Shared.PRODUCER.flush();
        for (Future<?> sent = SENT.poll(); sent != null; sent = SENT.poll()) {
            sent.get();
        }
    }

    /** All records of a topic, as they are now. */
    public static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers()), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = reader.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
            List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
            while (partitions.stream().anyMatch(partition -> reader.position(partition) < ends.get(partition))) {
                reader.poll(Duration.ofMillis(100)).forEach(all::add);
            }
            return all;
        }
    }

    /** How many records of the topic the group has not committed. */
    public static long lag(String group, String topic, int partitions) throws Exception {
        try (Admin admin = admin()) {
            Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
            IntStream.range(0, partitions)
                    .forEach(partition -> latest.put(new TopicPartition(topic, partition), OffsetSpec.latest()));
            var ends = admin.listOffsets(latest).all().get();
            var committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            long lag = 0;
            for (TopicPartition partition : Set.copyOf(latest.keySet())) {
                var offset = committed.get(partition);
                lag += ends.get(partition).offset() - (offset == null ? 0 : offset.offset());
            }
            return lag;
        }
    }

    public static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

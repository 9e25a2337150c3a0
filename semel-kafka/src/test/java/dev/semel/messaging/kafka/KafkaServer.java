package dev.semel.messaging.kafka;

import dev.semel.testsupport.servers.KafkaBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Topics and messages on the Kafka broker that all tests of this JVM share. */
public final class KafkaServer {

    private static final AtomicInteger TOPICS = new AtomicInteger();
    private static final Queue<Future<?>> SENT = new ConcurrentLinkedQueue<>();

    private KafkaServer() {}

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final Producer<byte[], byte[]> PRODUCER = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers(), "acks", "all", "linger.ms", 5, "metadata.max.age.ms", 1_000),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    public static String servers() {
        return KafkaBroker.shared().servers();
    }

    /** A new topic, and one for its dead letters. Discards what an earlier test has sent and not flushed. */
    public static String newTopic(int partitions) throws Exception {
        SENT.clear();
        String name = nextTopic();
        create(name, partitions);
        create(name + DeadLetterTopic.SUFFIX, 1);
        return name;
    }

    /** A name that no topic has. */
    static String nextTopic() {
        return "topic-" + TOPICS.incrementAndGet();
    }

    /** Creates a topic, and returns when records can be written to all of its partitions. */
    public static void create(String name, int partitions) throws Exception {
        KafkaBroker.shared().createTopic(name, partitions);
    }

    private static Map<TopicPartition, OffsetSpec> latest(String topic, int partitions) {
        return IntStream.range(0, partitions)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> new TopicPartition(topic, partition), partition -> OffsetSpec.latest()));
    }

    private static Admin admin(String servers) {
        return Admin.create(Map.of("bootstrap.servers", servers));
    }

    /** Consumer properties for this group, with short session timeouts. */
    public static Map<String, Object> consumer(String group) {
        return consumer(servers(), group);
    }

    public static Map<String, Object> consumer(String servers, String group) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("bootstrap.servers", servers);
        properties.put("group.id", group);
        properties.put("session.timeout.ms", 5_000);
        properties.put("heartbeat.interval.ms", 500);
        properties.put("metadata.max.age.ms", 1_000);
        return properties;
    }

    /** A record for a partition, with its id in the default header. */
    public static ProducerRecord<byte[], byte[]> message(String topic, int partition, String id, String text) {
        ProducerRecord<byte[], byte[]> message =
                new ProducerRecord<>(topic, partition, bytes("key-" + id), bytes(text));
        message.headers().add(KafkaMessageIds.DEFAULT_HEADER, bytes(id));
        return message;
    }

    public static void send(ProducerRecord<byte[], byte[]> message) {
        SENT.add(Shared.PRODUCER.send(message));
    }

    public static void send(String topic, int partition, String id, String text) {
        send(message(topic, partition, id, text));
    }

    /**
     * Waits until the broker has confirmed everything that this test has sent, or fails. Either way the next test starts
     * without pending sends.
     */
    public static void flush() throws Exception {
        Shared.PRODUCER.flush();
        List<Future<?>> sent = new ArrayList<>();
        for (Future<?> each = SENT.poll(); each != null; each = SENT.poll()) {
            sent.add(each);
        }
        for (Future<?> each : sent) {
            each.get();
        }
    }

    /** All records of a topic, as they are now. */
    public static List<ConsumerRecord<byte[], byte[]>> read(String topic) {
        return read(servers(), topic);
    }

    static List<ConsumerRecord<byte[], byte[]>> read(String servers, String topic) {
        try (KafkaConsumer<byte[], byte[]> reader = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers), new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
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
        return lag(servers(), group, topic, partitions);
    }

    static long lag(String servers, String group, String topic, int partitions) throws Exception {
        try (Admin admin = admin(servers)) {
            var ends = admin.listOffsets(latest(topic, partitions)).all().get();
            var committed = admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
            long lag = 0;
            for (TopicPartition partition : ends.keySet()) {
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

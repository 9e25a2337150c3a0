package dev.semel.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.testsupport.servers.KafkaBroker;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("The Kafka server of these tests")
@Timeout(300)
class KafkaServerIT {

    private static final Duration LONG = Duration.ofMinutes(2);

    @Test
    void a_flush_that_fails_leaves_nothing_for_the_next_test() throws Exception {
        String topic = KafkaServer.newTopic(1);
        String tooLarge = "x".repeat(2_000_000);
        KafkaServer.send(topic, 0, "m1", tooLarge);
        KafkaServer.send(topic, 0, "m2", tooLarge);
        assertThatThrownBy(KafkaServer::flush).hasCauseInstanceOf(RecordTooLargeException.class);
        KafkaServer.send(topic, 0, "m3", "hello");
        KafkaServer.flush();
        assertThat(KafkaServer.read(topic))
                .extracting(message -> KafkaServer.text(message.value()))
                .containsExactly("hello");
    }

    /**
     * The metadata names a leader before it has the partition; an idempotent producer that is refused then stays refused. On a
     * broker of its own: brokers of one JVM share their metrics, and one that was closed has removed those that others count in.
     */
    @Test
    void a_new_topic_is_handed_out_when_the_broker_has_created_its_partitions() throws Exception {
        String name = KafkaServer.nextTopic();
        try (KafkaBroker broker = KafkaBroker.start(Map.of());
                LatePartitions late = LatePartitions.of(name)) {
            long refused = LatePartitions.refused("ListOffsets");
            CompletableFuture<Void> created = CompletableFuture.runAsync(() -> broker.createTopic(name, 2));
            await().atMost(LONG).until(late::areHeld);
            await().atMost(LONG)
                    .failFast("the topic was handed out", created::isDone)
                    .until(() -> LatePartitions.refused("ListOffsets") > refused);
            late.release();
            created.join();
            try (Producer<byte[], byte[]> producer = new KafkaProducer<>(
                    Map.of("bootstrap.servers", broker.servers()),
                    new ByteArraySerializer(),
                    new ByteArraySerializer())) {
                producer.send(KafkaServer.message(name, 0, "m1", "hello")).get();
            }
            assertThat(KafkaServer.read(broker.servers(), name)).hasSize(1);
        }
    }
}

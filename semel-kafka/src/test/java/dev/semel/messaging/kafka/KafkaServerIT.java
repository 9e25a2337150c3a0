package dev.semel.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.RecordTooLargeException;
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

    /** The metadata names a leader before it has the partition; an idempotent producer that is refused then stays refused. */
    @Test
    void a_new_topic_is_handed_out_when_the_broker_has_created_its_partitions() throws Exception {
        String name = KafkaServer.nextTopic();
        long refused = LatePartitions.refused("ListOffsets");
        try (LatePartitions late = LatePartitions.of(name)) {
            CompletableFuture<Void> created = CompletableFuture.runAsync(() -> create(name));
            await().atMost(LONG).until(late::areHeld);
            await().atMost(LONG)
                    .failFast("the topic was handed out", created::isDone)
                    .until(() -> LatePartitions.refused("ListOffsets") > refused);
            late.release();
            created.join();
        }
        KafkaServer.send(name, 0, "m1", "hello");
        KafkaServer.flush();
        assertThat(KafkaServer.read(name)).hasSize(1);
    }

    private static void create(String name) {
        try {
            KafkaServer.create(name, 2);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}

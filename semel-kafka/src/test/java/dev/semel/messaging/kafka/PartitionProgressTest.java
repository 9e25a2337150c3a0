package dev.semel.messaging.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.messaging.Delivery;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The progress of a partition")
class PartitionProgressTest {

    private static final Delivery DONE = new Delivery.Acknowledge(false);
    private static final Delivery AGAIN = new Delivery.Redeliver("handler_failed");
    private static final Delivery DEAD = new Delivery.DeadLetter("poison");

    private final AtomicInteger sends = new AtomicInteger();
    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(
                    true, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer()) {
                @Override
                public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message) {
                    sends.incrementAndGet();
                    return super.send(message);
                }
            };

    private Map<TopicPartition, PartitionProgress> of(Delivery... deliveries) {
        List<ConsumerRecord<byte[], byte[]>> batch = List.of(at(0, 10), at(0, 11), at(1, 20), at(1, 21));
        return PartitionProgress.of(batch, List.of(deliveries), new DeadLetterTopic(producer, "mailer"));
    }

    private static ConsumerRecord<byte[], byte[]> at(int partition, long offset) {
        return new ConsumerRecord<>("orders", partition, offset, new byte[0], new byte[0]);
    }

    private static TopicPartition partition(int number) {
        return new TopicPartition("orders", number);
    }

    @Test
    void ends_at_the_first_record_that_must_be_redelivered() {
        assertThat(of(DONE, AGAIN, AGAIN, DONE))
                .containsEntry(partition(0), new PartitionProgress(10, 11, true))
                .containsEntry(partition(1), new PartitionProgress(20, 20, true));
    }

    @Test
    void passes_a_confirmed_dead_letter_and_sends_none_behind_a_record_that_must_be_redelivered() {
        assertThat(of(DEAD, DONE, AGAIN, DEAD))
                .containsEntry(partition(0), new PartitionProgress(10, 12, false))
                .containsEntry(partition(1), new PartitionProgress(20, 20, true));
        assertThat(sends).hasValue(1);
    }

    @Test
    void does_not_pass_a_refused_dead_letter_and_sends_no_other() {
        producer.sendException = new TimeoutException("no such topic");
        assertThat(of(DEAD, DEAD, DONE, DEAD))
                .containsEntry(partition(0), new PartitionProgress(10, 10, true))
                .containsEntry(partition(1), new PartitionProgress(20, 21, true));
        assertThat(sends).hasValue(1);
    }
}

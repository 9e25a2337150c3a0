package dev.semel.messaging.kafka;

import dev.semel.messaging.Delivery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a partition within a batch.
 *
 * @param first the offset of its first record in the batch
 * @param next the offset of the first record that must be redelivered, or the offset behind the last record
 * @param held whether a record must be redelivered
 */
record PartitionProgress(long first, long next, boolean held) {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    /** A dead letter that was sent, the index of its record, and the broker's confirmation; null when sending failed. */
    private record Sent(int index, @Nullable Future<RecordMetadata> confirmation) {}

    /**
     * Sends dead letters, waits for the broker's confirmations, and returns the progress of each partition. It ends before a
     * record that must be redelivered, and before a dead letter that is not confirmed.
     */
    static Map<TopicPartition, PartitionProgress> of(
            List<ConsumerRecord<byte[], byte[]>> batch, List<Delivery> deliveries, DeadLetterTopic deadLetters) {
        Set<Integer> blocked = new HashSet<>();
        for (Sent sent : send(batch, deliveries, deadLetters)) {
            if (!confirmed(sent, batch.get(sent.index))) {
                blocked.add(sent.index);
            }
        }
        Map<TopicPartition, PartitionProgress> progress = new LinkedHashMap<>();
        for (int index = 0; index < batch.size(); index++) {
            ConsumerRecord<byte[], byte[]> message = batch.get(index);
            TopicPartition partition = partitionOf(message);
            PartitionProgress before = progress.get(partition);
            long first = before == null ? message.offset() : before.first;
            if (before != null && before.held) {
                continue;
            }
            boolean held = deliveries.get(index) instanceof Delivery.Redeliver || blocked.contains(index);
            progress.put(partition, new PartitionProgress(first, held ? message.offset() : message.offset() + 1, held));
        }
        return progress;
    }

    static TopicPartition partitionOf(ConsumerRecord<?, ?> message) {
        return new TopicPartition(message.topic(), message.partition());
    }

    /** Stops sending after the first failure: each can take as long as the producer waits for a missing topic. */
    private static List<Sent> send(
            List<ConsumerRecord<byte[], byte[]>> batch, List<Delivery> deliveries, DeadLetterTopic deadLetters) {
        Set<TopicPartition> blocked = new HashSet<>();
        List<Sent> sent = new ArrayList<>();
        boolean failed = false;
        for (int index = 0; index < batch.size(); index++) {
            ConsumerRecord<byte[], byte[]> message = batch.get(index);
            Delivery delivery = deliveries.get(index);
            if (delivery instanceof Delivery.Redeliver) {
                blocked.add(partitionOf(message));
            } else if (delivery instanceof Delivery.DeadLetter dead && !blocked.contains(partitionOf(message))) {
                Sent last = new Sent(index, failed ? null : send(message, dead, deadLetters));
                sent.add(last);
                failed = last.confirmation == null;
            }
        }
        return sent;
    }

    private static @Nullable Future<RecordMetadata> send(
            ConsumerRecord<byte[], byte[]> message, Delivery.DeadLetter dead, DeadLetterTopic deadLetters) {
        try {
            return deadLetters.send(message, dead.reason());
        } catch (KafkaException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a dead letter of " + message.topic() + " could not be sent; its partition is paused and retried",
                    e);
            return null;
        }
    }

    private static boolean confirmed(Sent sent, ConsumerRecord<byte[], byte[]> message) {
        if (sent.confirmation == null) {
            return false;
        }
        try {
            sent.confirmation.get();
            return true;
        } catch (ExecutionException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a dead letter of " + message.topic() + " was not confirmed; its partition is paused and retried",
                    e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}

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
 * How far a partition has come with a batch.
 *
 * @param first the offset of its first record in the batch
 * @param next the offset of the record that has to come again, or the one behind the last
 * @param held whether a record has to come again
 */
record Advance(long first, long next, boolean held) {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    /** A dead letter on its way, in the place of its record. */
    private record Sent(int place, @Nullable Future<RecordMetadata> confirmation) {}

    /**
     * Sends dead letters, waits until the broker has them, and says how far each partition has come: not past a record that
     * has to come again, and not past a dead letter that may not have arrived.
     */
    static Map<TopicPartition, Advance> of(
            List<ConsumerRecord<byte[], byte[]>> batch, List<Delivery> deliveries, DeadLetterTopic deadLetters) {
        Set<Integer> standing = new HashSet<>();
        for (Sent sent : send(batch, deliveries, deadLetters)) {
            if (!arrived(sent, batch.get(sent.place))) {
                standing.add(sent.place);
            }
        }
        Map<TopicPartition, Advance> advances = new LinkedHashMap<>();
        for (int place = 0; place < batch.size(); place++) {
            ConsumerRecord<byte[], byte[]> message = batch.get(place);
            TopicPartition partition = partitionOf(message);
            Advance before = advances.get(partition);
            long first = before == null ? message.offset() : before.first;
            if (before != null && before.held) {
                continue;
            }
            boolean again = deliveries.get(place) instanceof Delivery.Redeliver || standing.contains(place);
            advances.put(partition, new Advance(first, again ? message.offset() : message.offset() + 1, again));
        }
        return advances;
    }

    static TopicPartition partitionOf(ConsumerRecord<?, ?> message) {
        return new TopicPartition(message.topic(), message.partition());
    }

    /** One that was refused is the last: each may take as long as the producer waits for a topic that is not there. */
    private static List<Sent> send(
            List<ConsumerRecord<byte[], byte[]>> batch, List<Delivery> deliveries, DeadLetterTopic deadLetters) {
        Set<TopicPartition> standing = new HashSet<>();
        List<Sent> sent = new ArrayList<>();
        boolean refused = false;
        for (int place = 0; place < batch.size(); place++) {
            ConsumerRecord<byte[], byte[]> message = batch.get(place);
            Delivery delivery = deliveries.get(place);
            if (delivery instanceof Delivery.Redeliver) {
                standing.add(partitionOf(message));
            } else if (delivery instanceof Delivery.DeadLetter dead && !standing.contains(partitionOf(message))) {
                Sent one = new Sent(place, refused ? null : sent(message, dead, deadLetters));
                sent.add(one);
                refused = one.confirmation == null;
            }
        }
        return sent;
    }

    private static @Nullable Future<RecordMetadata> sent(
            ConsumerRecord<byte[], byte[]> message, Delivery.DeadLetter dead, DeadLetterTopic deadLetters) {
        try {
            return deadLetters.send(message, dead.reason());
        } catch (KafkaException e) {
            LOG.log(System.Logger.Level.ERROR, "a dead letter cannot be sent, its partition waits", e);
            return null;
        }
    }

    private static boolean arrived(Sent sent, ConsumerRecord<byte[], byte[]> message) {
        if (sent.confirmation == null) {
            return false;
        }
        try {
            sent.confirmation.get();
            return true;
        } catch (ExecutionException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "a dead letter of " + message.topic() + " did not arrive, its partition waits",
                    e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return false;
    }
}

package dev.semel.messaging.kafka.spring;

import dev.semel.Attempt;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import java.util.IdentityHashMap;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.BatchListenerFailedException;
import org.springframework.kafka.listener.BatchMessageListener;

/**
 * A batch listener that handles each record once: one round trip to the store claims all records of a poll, and one settles
 * them.
 *
 * <p>At the first record that must be redelivered or is a dead letter, it throws a {@link BatchListenerFailedException} with
 * the record's index: Spring commits the records before it, passes it to the container's error handler, and redelivers those
 * behind it. Those of them that were handled are duplicates then.
 */
public final class KafkaInboxBatchListener<K, V> implements BatchMessageListener<K, V> {

    private final Inbox<ConsumerRecord<?, ?>> inbox;
    private final MessageHandler<ConsumerRecord<K, V>> handler;

    public KafkaInboxBatchListener(Inbox<ConsumerRecord<?, ?>> inbox, MessageHandler<ConsumerRecord<K, V>> handler) {
        this.inbox = inbox;
        this.handler = handler;
    }

    @Override
    public void onMessage(List<ConsumerRecord<K, V>> batch) {
        IdentityHashMap<ConsumerRecord<?, ?>, Exception> failures = new IdentityHashMap<>();
        List<Delivery> deliveries = inbox.handleAll(
                batch,
                message -> new TopicPartition(message.topic(), message.partition()),
                (message, attempt) -> handle(message, attempt, failures));
        for (int index = 0; index < batch.size(); index++) {
            RuntimeException ending = ending(deliveries.get(index), failures.get(batch.get(index)));
            if (ending != null) {
                throw new BatchListenerFailedException(String.valueOf(ending.getMessage()), ending, index);
            }
        }
    }

    /** The cast is safe: the inbox passes on the records that it was given. */
    @SuppressWarnings("unchecked")
    private void handle(
            ConsumerRecord<?, ?> message, Attempt attempt, IdentityHashMap<ConsumerRecord<?, ?>, Exception> failures)
            throws Exception {
        try {
            handler.handle((ConsumerRecord<K, V>) message, attempt);
        } catch (Exception e) {
            failures.put(message, e);
            throw e;
        }
    }

    private static @Nullable RuntimeException ending(Delivery delivery, @Nullable Exception failure) {
        if (delivery instanceof Delivery.Redeliver redeliver) {
            return new RedeliverException(redeliver.reason(), failure);
        }
        return delivery instanceof Delivery.DeadLetter dead ? new DeadLetterException(dead.reason(), failure) : null;
    }
}

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
 * A listener that gets whole polls and has each record handled once: one round trip to the store to claim them all, and one
 * to settle them.
 *
 * <p>At the first record that has to come again or cannot be handled it ends in Spring's own exception, which says at which:
 * those before it are committed, it goes to the container's error handler, and those behind it come again. What was handled
 * of these is a duplicate then.
 */
public final class InboxBatchListener<K, V> implements BatchMessageListener<K, V> {

    private final Inbox<ConsumerRecord<?, ?>> inbox;
    private final MessageHandler<ConsumerRecord<K, V>> handler;

    public InboxBatchListener(Inbox<ConsumerRecord<?, ?>> inbox, MessageHandler<ConsumerRecord<K, V>> handler) {
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
        for (int place = 0; place < batch.size(); place++) {
            RuntimeException ending = ending(deliveries.get(place), failures.get(batch.get(place)));
            if (ending != null) {
                throw new BatchListenerFailedException(String.valueOf(ending.getMessage()), ending, place);
            }
        }
    }

    /** The inbox gives back what it was given. */
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

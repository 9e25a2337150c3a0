package dev.semel.spring.messaging;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.kafka.KafkaMessageIds;
import dev.semel.messaging.kafka.spring.KafkaInboxAdvice;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.AbstractMessageListenerContainer;
import org.springframework.kafka.listener.BatchMessageListener;
import org.springframework.kafka.listener.ContainerProperties;
import org.springframework.kafka.listener.adapter.AsyncRepliesAware;

/** Adds an inbox to the containers of Kafka listeners, one for each consumer group. */
final class KafkaListenerInboxes {

    private final Inboxes inboxes;
    private final KafkaMessageIds ids;
    private final Map<String, Object> consumer;
    private final Map<String, Inbox<ConsumerRecord<?, ?>>> byGroup = new ConcurrentHashMap<>();

    /** @param consumer the properties that all consumers of the application have */
    KafkaListenerInboxes(Inboxes inboxes, KafkaMessageIds ids, Map<String, Object> consumer) {
        this.inboxes = inboxes;
        this.ids = ids;
        this.consumer = consumer;
    }

    /** @throws IllegalStateException when the listener could not handle each record once */
    void addTo(AbstractMessageListenerContainer<?, ?> container) {
        ContainerProperties properties = container.getContainerProperties();
        String group = container.getGroupId();
        String defect = defectOf(group, properties);
        if (group == null || !defect.isEmpty()) {
            throw new IllegalStateException("the Kafka listener " + container.getListenerId() + " names the container"
                    + " factory " + IdempotentListeners.KAFKA + ", but " + defect);
        }
        Advice inbox = new KafkaInboxAdvice(byGroup.computeIfAbsent(group, this::inboxOf));
        properties.setAdviceChain(Stream.concat(Stream.of(inbox), Stream.of(properties.getAdviceChain()))
                .toArray(Advice[]::new));
    }

    private String defectOf(@Nullable String group, ContainerProperties properties) {
        Object listener = properties.getMessageListener();
        if (group == null) {
            return "it has no consumer group: set its groupId, or spring.kafka.consumer.group-id";
        }
        if (commitsAutomatically(properties)) {
            return "enable.auto.commit is true, which would commit records that must be redelivered: remove it from"
                    + " spring.kafka.consumer, or from the properties of the listener";
        }
        if (listener instanceof BatchMessageListener<?, ?>) {
            return "it takes batches, and only listeners of single records can: set batch to \"false\", or"
                    + " spring.kafka.listener.type to single";
        }
        if (listener instanceof AsyncRepliesAware adapter && adapter.isAsyncReplies()) {
            return "it returns a future, so that a record would count as handled too early: return the result itself";
        }
        return "";
    }

    /** Only when it is set: Spring Kafka turns Kafka's default off. */
    private boolean commitsAutomatically(ContainerProperties properties) {
        Object own = properties.getKafkaConsumerProperties().get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
        Object common = consumer.get(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG);
        return Boolean.parseBoolean(String.valueOf(own == null ? common : own));
    }

    private Inbox<ConsumerRecord<?, ?>> inboxOf(String group) {
        return inboxes.<ConsumerRecord<?, ?>>builder(group, ids)
                .describedBy(message -> "message of topic " + message.topic() + ", partition " + message.partition()
                        + ", offset " + message.offset())
                .build();
    }
}

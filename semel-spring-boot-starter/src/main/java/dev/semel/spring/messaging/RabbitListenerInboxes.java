package dev.semel.spring.messaging;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.amqp.spring.RabbitInboxAdvice;
import dev.semel.messaging.amqp.spring.SpringAmqpMessageIds;
import java.util.stream.Stream;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.AcknowledgeMode;
import org.springframework.amqp.core.BatchMessageListener;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.listener.AbstractMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.api.ChannelAwareBatchMessageListener;

/** Adds an inbox to the containers of RabbitMQ listeners, one for each queue. */
final class RabbitListenerInboxes {

    private RabbitListenerInboxes() {}

    /** Before the advice that the factory has, such as that of Spring's retries: a retry is part of one attempt. */
    static <C extends AbstractMessageListenerContainer> void addTo(
            AbstractRabbitListenerContainerFactory<C> factory,
            Inboxes inboxes,
            @Nullable ContainerCustomizer<C> customizer) {
        Advice inbox = RabbitInboxAdvice.perQueue(queue -> inboxOf(inboxes, queue), inboxes.redeliveryPause());
        Advice[] present = factory.getAdviceChain();
        factory.setAdviceChain(Stream.concat(Stream.of(inbox), present == null ? Stream.of() : Stream.of(present))
                .toArray(Advice[]::new));
        factory.setContainerCustomizer(container -> {
            if (customizer != null) {
                customizer.configure(container);
            }
            check(container);
        });
    }

    private static Inbox<Message> inboxOf(Inboxes inboxes, String queue) {
        return inboxes.builder(queue, SpringAmqpMessageIds::of)
                .describedBy(message -> "message of queue " + queue)
                .build();
    }

    private static void check(AbstractMessageListenerContainer container) {
        String defect = defectOf(container.getAcknowledgeMode(), container.getMessageListener());
        if (!defect.isEmpty()) {
            throw new IllegalStateException("the RabbitMQ listener " + container.getListenerId()
                    + " names the container" + " factory " + IdempotentListeners.RABBIT + ", but " + defect);
        }
    }

    private static String defectOf(AcknowledgeMode mode, @Nullable MessageListener listener) {
        if (mode != AcknowledgeMode.AUTO) {
            return "its acknowledge mode is " + mode
                    + ", in which duplicates would not be acknowledged: set its ackMode or"
                    + " the property acknowledge-mode under spring.rabbitmq.listener to auto";
        }
        if (listener instanceof BatchMessageListener || listener instanceof ChannelAwareBatchMessageListener) {
            return "it takes batches, and only listeners of single messages can: set batch to \"false\"";
        }
        if (listener != null && listener.isAsyncReplies()) {
            return "it returns a future, so that a message would count as handled too early: return the result itself";
        }
        return "";
    }
}

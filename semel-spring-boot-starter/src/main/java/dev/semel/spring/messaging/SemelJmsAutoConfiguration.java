package dev.semel.spring.messaging;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.jms.JmsMessageIds;
import dev.semel.messaging.jms.spring.JmsInboxContainerFactory;
import dev.semel.spring.SemelProperties;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

/** Idempotent JMS listeners, with the module semel-jms and Spring Boot's support of JMS. */
@AutoConfiguration(after = {SemelInboxAutoConfiguration.class, SemelListenerSettingsAutoConfiguration.class})
@ConditionalOnClass({JmsInboxContainerFactory.class, DefaultJmsListenerContainerFactory.class})
@ConditionalOnBean({Inboxes.class, ListenerSettings.Jms.class, ConnectionFactory.class})
public final class SemelJmsAutoConfiguration {

    /** Stands for the name of the listener's own destination. */
    private static final String DESTINATION = "{destination}";

    /** The application's other listeners keep Spring Boot's factory: this one is only found by its name. */
    @Lazy
    @Bean(name = IdempotentListeners.JMS, defaultCandidate = false)
    @ConditionalOnMissingBean(name = IdempotentListeners.JMS)
    JmsInboxContainerFactory<DefaultMessageListenerContainer> idempotentJmsListenerContainerFactory(
            ListenerSettings.Jms settings, ConnectionFactory connections, SemelProperties properties, Inboxes inboxes) {
        DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
        settings.applyTo(factory, connections);
        factory.setSessionTransacted(true);
        JmsInboxContainerFactory<DefaultMessageListenerContainer> idempotent = JmsInboxContainerFactory.perDestination(
                        factory, group -> inboxOf(inboxes, group))
                .pause(inboxes.redeliveryPause());
        String queue = properties.inbox().jms().deadLetterQueue();
        return queue == null
                ? idempotent
                : idempotent.deadLettersToQueue(destination -> queue.replace(DESTINATION, destination));
    }

    private static Inbox<Message> inboxOf(Inboxes inboxes, String group) {
        return inboxes.builder(group, JmsMessageIds::of)
                .describedBy(message -> "message of " + group)
                .build();
    }
}

package dev.semel.spring.messaging;

import dev.semel.messaging.amqp.spring.RabbitInboxAdvice;
import org.springframework.amqp.rabbit.config.AbstractRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.ContainerCustomizer;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.amqp.rabbit.listener.DirectMessageListenerContainer;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Idempotent RabbitMQ listeners, with the module semel-rabbitmq and Spring Boot's support of RabbitMQ. */
@AutoConfiguration(after = {SemelInboxAutoConfiguration.class, SemelListenerSettingsAutoConfiguration.class})
@ConditionalOnClass({RabbitInboxAdvice.class, AbstractRabbitListenerContainerFactory.class})
@ConditionalOnBean({Inboxes.class, ListenerSettings.Rabbit.class, ConnectionFactory.class})
public final class SemelRabbitAutoConfiguration {

    private static final String TYPE = "spring.rabbitmq.listener.type";

    /** Unless the application's listeners use direct containers. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = TYPE, havingValue = "simple", matchIfMissing = true)
    static final class Simple {

        /** The application's other listeners keep Spring Boot's factory: this one is only found by its name. */
        @Lazy
        @Bean(name = IdempotentListeners.RABBIT, defaultCandidate = false)
        @ConditionalOnMissingBean(name = IdempotentListeners.RABBIT)
        SimpleRabbitListenerContainerFactory idempotentRabbitListenerContainerFactory(
                ListenerSettings.Rabbit settings,
                ConnectionFactory connections,
                ObjectProvider<ContainerCustomizer<SimpleMessageListenerContainer>> customizers,
                Inboxes inboxes) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            settings.applyTo(factory, connections);
            RabbitListenerInboxes.addTo(factory, inboxes, customizers.getIfUnique());
            return factory;
        }
    }

    /** When {@code spring.rabbitmq.listener.type} is direct. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(name = TYPE, havingValue = "direct")
    static final class Direct {

        @Lazy
        @Bean(name = IdempotentListeners.RABBIT, defaultCandidate = false)
        @ConditionalOnMissingBean(name = IdempotentListeners.RABBIT)
        DirectRabbitListenerContainerFactory idempotentRabbitListenerContainerFactory(
                ListenerSettings.Rabbit settings,
                ConnectionFactory connections,
                ObjectProvider<ContainerCustomizer<DirectMessageListenerContainer>> customizers,
                Inboxes inboxes) {
            DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
            settings.applyTo(factory, connections);
            RabbitListenerInboxes.addTo(factory, inboxes, customizers.getIfUnique());
            return factory;
        }
    }
}

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
import org.springframework.boot.amqp.autoconfigure.DirectRabbitListenerContainerFactoryConfigurer;
import org.springframework.boot.amqp.autoconfigure.SimpleRabbitListenerContainerFactoryConfigurer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Idempotent RabbitMQ listeners, with the module semel-rabbitmq and Spring Boot's support of RabbitMQ. */
@AutoConfiguration(
        after = SemelInboxAutoConfiguration.class,
        afterName = "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration")
@ConditionalOnClass({
    RabbitInboxAdvice.class,
    AbstractRabbitListenerContainerFactory.class,
    SimpleRabbitListenerContainerFactoryConfigurer.class
})
@ConditionalOnBean({Inboxes.class, SimpleRabbitListenerContainerFactoryConfigurer.class, ConnectionFactory.class})
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
                SimpleRabbitListenerContainerFactoryConfigurer configurer,
                ConnectionFactory connections,
                ObjectProvider<ContainerCustomizer<SimpleMessageListenerContainer>> customizers,
                Inboxes inboxes) {
            SimpleRabbitListenerContainerFactory factory = new SimpleRabbitListenerContainerFactory();
            configurer.configure(factory, connections);
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
                DirectRabbitListenerContainerFactoryConfigurer configurer,
                ConnectionFactory connections,
                ObjectProvider<ContainerCustomizer<DirectMessageListenerContainer>> customizers,
                Inboxes inboxes) {
            DirectRabbitListenerContainerFactory factory = new DirectRabbitListenerContainerFactory();
            configurer.configure(factory, connections);
            RabbitListenerInboxes.addTo(factory, inboxes, customizers.getIfUnique());
            return factory;
        }
    }
}

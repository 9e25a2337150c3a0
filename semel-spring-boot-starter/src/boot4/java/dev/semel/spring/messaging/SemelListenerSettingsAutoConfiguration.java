package dev.semel.spring.messaging;

import java.util.Map;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.connection.ConnectionFactory;
import org.springframework.boot.amqp.autoconfigure.DirectRabbitListenerContainerFactoryConfigurer;
import org.springframework.boot.amqp.autoconfigure.SimpleRabbitListenerContainerFactoryConfigurer;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jms.autoconfigure.DefaultJmsListenerContainerFactoryConfigurer;
import org.springframework.boot.kafka.autoconfigure.ConcurrentKafkaListenerContainerFactoryConfigurer;
import org.springframework.boot.kafka.autoconfigure.KafkaProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;

/** The settings of listeners, by the configurers of Spring Boot 4. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration",
            "org.springframework.boot.amqp.autoconfigure.RabbitAutoConfiguration",
            "org.springframework.boot.jms.autoconfigure.JmsAutoConfiguration",
        })
public final class SemelListenerSettingsAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({
        ConcurrentKafkaListenerContainerFactory.class,
        ConcurrentKafkaListenerContainerFactoryConfigurer.class
    })
    @ConditionalOnBean(ConcurrentKafkaListenerContainerFactoryConfigurer.class)
    static class OfKafka {

        @Bean
        ListenerSettings.Kafka semelKafkaSettings(
                ConcurrentKafkaListenerContainerFactoryConfigurer configurer, KafkaProperties properties) {
            return new ListenerSettings.Kafka() {
                @Override
                public void applyTo(
                        ConcurrentKafkaListenerContainerFactory<Object, Object> factory,
                        ConsumerFactory<Object, Object> consumers) {
                    configurer.configure(factory, consumers);
                }

                @Override
                public Map<String, Object> consumer() {
                    return properties.buildConsumerProperties();
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({
        SimpleRabbitListenerContainerFactory.class,
        SimpleRabbitListenerContainerFactoryConfigurer.class
    })
    @ConditionalOnBean(SimpleRabbitListenerContainerFactoryConfigurer.class)
    static class OfRabbit {

        @Bean
        ListenerSettings.Rabbit semelRabbitSettings(
                SimpleRabbitListenerContainerFactoryConfigurer simple,
                DirectRabbitListenerContainerFactoryConfigurer direct) {
            return new ListenerSettings.Rabbit() {
                @Override
                public void applyTo(SimpleRabbitListenerContainerFactory factory, ConnectionFactory connections) {
                    simple.configure(factory, connections);
                }

                @Override
                public void applyTo(DirectRabbitListenerContainerFactory factory, ConnectionFactory connections) {
                    direct.configure(factory, connections);
                }
            };
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({DefaultJmsListenerContainerFactory.class, DefaultJmsListenerContainerFactoryConfigurer.class})
    @ConditionalOnBean(DefaultJmsListenerContainerFactoryConfigurer.class)
    static class OfJms {

        @Bean
        ListenerSettings.Jms semelJmsSettings(DefaultJmsListenerContainerFactoryConfigurer configurer) {
            return configurer::configure;
        }
    }
}

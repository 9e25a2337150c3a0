package dev.semel.spring.messaging;

import jakarta.jms.ConnectionFactory;
import java.util.Map;
import org.springframework.amqp.rabbit.config.DirectRabbitListenerContainerFactory;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.kafka.config.ConcurrentKafkaListenerContainerFactory;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * Spring Boot's own settings of listeners, those under {@code spring.kafka}, {@code spring.rabbitmq} and {@code spring.jms}: its
 * configurers lie in other packages in each of its versions.
 */
final class ListenerSettings {

    private ListenerSettings() {}

    interface Kafka {

        void applyTo(
                ConcurrentKafkaListenerContainerFactory<Object, Object> factory,
                ConsumerFactory<Object, Object> consumers);

        /** The properties of a consumer. */
        Map<String, Object> consumer();
    }

    interface Rabbit {

        void applyTo(
                SimpleRabbitListenerContainerFactory factory,
                org.springframework.amqp.rabbit.connection.ConnectionFactory connections);

        void applyTo(
                DirectRabbitListenerContainerFactory factory,
                org.springframework.amqp.rabbit.connection.ConnectionFactory connections);
    }

    interface Jms {

        void applyTo(DefaultJmsListenerContainerFactory factory, ConnectionFactory connections);
    }
}

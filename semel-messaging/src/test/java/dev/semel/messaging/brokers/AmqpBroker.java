package dev.semel.messaging.brokers;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URISyntaxException;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeoutException;

/**
 * A real broker that speaks AMQP 0-9-1, with a queue for each test: Qpid Broker-J in this JVM, or the RabbitMQ server that
 * {@code -Dsemel.rabbitmq=amqp://guest:guest@127.0.0.1:5672/%2f} names.
 */
public interface AmqpBroker {

    static AmqpBroker shared() {
        String uri = System.getProperty("semel.rabbitmq");
        return uri == null ? QpidBroker.shared() : new RabbitBroker(uri);
    }

    String uri();

    /** Declares a queue, and one for what its consumers reject. */
    String newQueue(Channel channel) throws IOException;

    /** How many messages a queue holds, delivered or not, that nobody has acknowledged. */
    int depth(String queue);

    default String deadLettersOf(String queue) {
        return queue + "_DLQ";
    }

    default Connection connect() throws IOException, TimeoutException {
        return connect(uri());
    }

    static Connection connect(String uri) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        try {
            factory.setUri(uri);
        } catch (URISyntaxException | GeneralSecurityException e) {
            throw new IllegalArgumentException(uri, e);
        }
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }
}

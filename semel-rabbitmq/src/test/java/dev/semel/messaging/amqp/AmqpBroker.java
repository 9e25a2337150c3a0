package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.semel.testsupport.servers.QpidBroker;
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
        return uri == null ? new QpidQueues(QpidBroker.shared()) : new RabbitBroker(uri);
    }

    String uri();

    /** Declares a queue, and a dead-letter queue for it. */
    String newQueue(Channel channel) throws IOException;

    /** The number of messages of a queue that are not acknowledged, delivered or not. */
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

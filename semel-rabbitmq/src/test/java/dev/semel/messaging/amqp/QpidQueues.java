package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import dev.semel.testsupport.servers.QpidBroker;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Queues on the Qpid Broker-J that all tests of this JVM share. */
record QpidQueues(QpidBroker broker) implements AmqpBroker {

    private static final AtomicInteger QUEUES = new AtomicInteger();

    @Override
    public String uri() {
        return broker.uri();
    }

    /** In Qpid's own arguments: a message is dead-lettered by its first rejection, and a requeue does not count as one. */
    @Override
    public String newQueue(Channel channel) throws IOException {
        String queue = "queue-" + QUEUES.incrementAndGet();
        channel.queueDeclare(deadLettersOf(queue), true, false, false, Map.of());
        channel.queueDeclare(
                queue, true, false, false, Map.of("x-qpid-dlq-enabled", true, "x-qpid-maximum-delivery-count", 1));
        return queue;
    }

    @Override
    public int depth(String queue) {
        return broker.depth(queue);
    }
}

package dev.semel.messaging.brokers;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import java.io.IOException;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.model.SystemConfig;

/** A real broker that speaks AMQP 0-9-1; one for all tests of this JVM, with a queue for each test. */
public final class QpidBroker {

    private static final AtomicInteger QUEUES = new AtomicInteger();

    private QpidBroker() {}

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final Broker<?> BROKER = start();
    }

    private static Broker<?> start() {
        URL configuration = Objects.requireNonNull(QpidBroker.class.getResource("qpid.json"));
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(SystemConfig.TYPE, "Memory");
        attributes.put(SystemConfig.INITIAL_CONFIGURATION_LOCATION, configuration.toExternalForm());
        attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false);
        SystemConfig<?>[] resolved = new SystemConfig<?>[1];
        SystemLauncher launcher = new SystemLauncher(new SystemLauncherListener.DefaultSystemLauncherListener() {
            @Override
            public void onContainerResolve(SystemConfig<?> config) {
                resolved[0] = config;
            }
        });
        try {
            launcher.startup(attributes);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
        return (Broker<?>) resolved[0].getContainer();
    }

    public static int port() {
        return Shared.BROKER.getPorts().stream()
                .mapToInt(Port::getBoundPort)
                .findFirst()
                .orElseThrow();
    }

    public static Connection connect(int port) throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost("127.0.0.1");
        factory.setPort(port);
        factory.setVirtualHost("default");
        factory.setAutomaticRecoveryEnabled(false);
        return factory.newConnection();
    }

    /**
     * Declares a queue with a dead-letter queue, in this broker's own words: what is rejected goes there from the first
     * delivery on, and what is requeued does not count.
     */
    public static String newQueue(Channel channel) throws IOException {
        String queue = "queue-" + QUEUES.incrementAndGet();
        channel.queueDeclare(deadLettersOf(queue), true, false, false, Map.of());
        channel.queueDeclare(
                queue, true, false, false, Map.of("x-qpid-dlq-enabled", true, "x-qpid-maximum-delivery-count", 1));
        return queue;
    }

    public static String deadLettersOf(String queue) {
        return queue + "_DLQ";
    }

    /** How many messages a queue holds, delivered or not, that nobody has acknowledged. */
    public static int depth(String queue) {
        Queue<?> found =
                (Queue<?>) Shared.BROKER.findVirtualHostByName("default").getChildByName(Queue.class, queue);
        return Objects.requireNonNull(found, queue).getQueueDepthMessages();
    }
}

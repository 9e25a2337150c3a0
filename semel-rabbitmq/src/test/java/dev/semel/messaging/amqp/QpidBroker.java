package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.model.SystemConfig;

/** Qpid Broker-J; one for all tests of this JVM. */
final class QpidBroker implements AmqpBroker {

    private static final AtomicInteger QUEUES = new AtomicInteger();

    private final Broker<?> broker;

    private QpidBroker(Broker<?> broker) {
        this.broker = broker;
    }

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final QpidBroker BROKER = new QpidBroker(start());
    }

    static QpidBroker shared() {
        return Shared.BROKER;
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

    @Override
    public String uri() {
        int port = broker.getPorts().stream()
                .mapToInt(Port::getBoundPort)
                .findFirst()
                .orElseThrow();
        return "amqp://guest:guest@127.0.0.1:" + port + "/default";
    }

    /** With this broker's arguments: a rejected message goes there at once, and requeueing does not count as a delivery. */
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
        Queue<?> found = (Queue<?>) broker.findVirtualHostByName("default").getChildByName(Queue.class, queue);
        return Objects.requireNonNull(found, queue).getQueueDepthMessages();
    }
}

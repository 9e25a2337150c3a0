package dev.semel.testsupport.servers;

import java.net.URL;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.qpid.server.SystemLauncher;
import org.apache.qpid.server.SystemLauncherListener;
import org.apache.qpid.server.model.Broker;
import org.apache.qpid.server.model.Port;
import org.apache.qpid.server.model.Queue;
import org.apache.qpid.server.model.SystemConfig;

/** A Qpid Broker-J in this JVM, which speaks AMQP 0-9-1 on a free port of loopback; one for all tests of this JVM. */
public final class QpidBroker {

    private final Broker<?> broker;

    private QpidBroker(Broker<?> broker) {
        this.broker = broker;
    }

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final QpidBroker BROKER = new QpidBroker(start());
    }

    /** The broker that all tests of this JVM share. */
    public static QpidBroker shared() {
        return Shared.BROKER;
    }

    /** The one place that starts Qpid. */
    private static Broker<?> start() {
        URL configuration = Objects.requireNonNull(QpidBroker.class.getResource("qpid.json"));
        Map<String, Object> attributes = new HashMap<>();
        attributes.put(SystemConfig.TYPE, "Memory");
        attributes.put(SystemConfig.INITIAL_CONFIGURATION_LOCATION, configuration.toExternalForm());
        attributes.put(SystemConfig.STARTUP_LOGGED_TO_SYSTEM_OUT, false);
        AtomicReference<SystemConfig<?>> resolved = new AtomicReference<>();
        SystemLauncher launcher = new SystemLauncher(new SystemLauncherListener.DefaultSystemLauncherListener() {
            @Override
            public void onContainerResolve(SystemConfig<?> config) {
                resolved.set(config);
            }
        });
        try {
            launcher.startup(attributes);
        } catch (Exception e) {
            throw new IllegalStateException("Qpid did not start: " + e.getMessage(), e);
        }
        return (Broker<?>) Objects.requireNonNull(resolved.get()).getContainer();
    }

    public String uri() {
        int port = broker.getPorts().stream()
                .mapToInt(Port::getBoundPort)
                .findFirst()
                .orElseThrow();
        return "amqp://guest:guest@127.0.0.1:" + port + "/default";
    }

    /** The number of messages in a queue that no consumer has acknowledged, delivered or not. */
    public int depth(String queue) {
        Queue<?> found = (Queue<?>) broker.findVirtualHostByName("default").getChildByName(Queue.class, queue);
        return Objects.requireNonNull(found, queue).getQueueDepthMessages();
    }
}

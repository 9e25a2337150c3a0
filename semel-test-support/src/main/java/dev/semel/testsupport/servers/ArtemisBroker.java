package dev.semel.testsupport.servers;

import jakarta.jms.ConnectionFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.activemq.artemis.api.core.ActiveMQExceptionType;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.config.impl.ConfigurationImpl;
import org.apache.activemq.artemis.core.server.Queue;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.apache.activemq.artemis.core.server.embedded.EmbeddedActiveMQ;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/** An ActiveMQ Artemis broker in this JVM, which speaks JMS on a free port of loopback; one for all tests of this JVM. */
public final class ArtemisBroker {

    private static final AtomicInteger QUEUES = new AtomicInteger();

    private ArtemisBroker() {}

    /** Started when it is first needed; it stops with the JVM. */
    private static final class Shared {
        static final int PORT = freePort();
        static final EmbeddedActiveMQ SERVER = start();
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The one place that starts Artemis. */
    private static EmbeddedActiveMQ start() {
        try {
            Configuration configuration = new ConfigurationImpl()
                    .setPersistenceEnabled(false)
                    .setSecurityEnabled(false)
                    .addAcceptorConfiguration("tcp", uri());
            // Redelivers without limit: the consumer under test counts attempts.
            configuration.addAddressSetting("queue.#", new AddressSettings().setMaxDeliveryAttempts(-1));
            EmbeddedActiveMQ server = new EmbeddedActiveMQ();
            server.setConfiguration(configuration);
            server.start();
            return server;
        } catch (Exception e) {
            throw new IllegalStateException("Artemis did not start: " + e.getMessage(), e);
        }
    }

    private static String uri() {
        return "tcp://127.0.0.1:" + Shared.PORT;
    }

    public static int port() {
        Objects.requireNonNull(Shared.SERVER);
        return Shared.PORT;
    }

    public static ConnectionFactory connectionFactory(int port) {
        return new ActiveMQConnectionFactory("tcp://127.0.0.1:" + port);
    }

    public static String newQueue() {
        return create("queue." + QUEUES.incrementAndGet());
    }

    /** A queue whose messages the broker moves to {@link #deadLettersOf another} after five deliveries. */
    public static String newLimitedQueue() {
        String name = "limited." + QUEUES.incrementAndGet();
        Shared.SERVER
                .getActiveMQServer()
                .getAddressSettingsRepository()
                .addMatch(
                        name,
                        new AddressSettings()
                                .setMaxDeliveryAttempts(5)
                                .setDeadLetterAddress(SimpleString.of(deadLettersOf(name))));
        create(deadLettersOf(name));
        return create(name);
    }

    /** The queue to which the broker moves messages that it has delivered too often. */
    public static String deadLettersOf(String limited) {
        return "dead-letters." + limited;
    }

    private static String create(String name) {
        try {
            Shared.SERVER
                    .getActiveMQServer()
                    .createQueue(QueueConfiguration.of(name).setRoutingType(RoutingType.ANYCAST), true);
            return name;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** The number of messages in a queue that no consumer has acknowledged, delivered or not. */
    public static long depth(String name) {
        Queue queue = Shared.SERVER.getActiveMQServer().locateQueue(name);
        return queue == null ? 0 : queue.getMessageCount();
    }

    /** The number of consumers of a queue. */
    public static int consumers(String name) {
        return Shared.SERVER.getActiveMQServer().locateQueue(name).getConsumerCount();
    }

    /** Closes, on the broker's side, the connections that consume this queue. */
    public static void cutConsumersOf(String name) {
        Shared.SERVER.getActiveMQServer().locateQueue(name).getConsumers().stream()
                .map(consumer -> ((ServerConsumer) consumer).getConnectionID())
                .distinct()
                .toList()
                .forEach(ArtemisBroker::cut);
    }

    private static void cut(Object connection) {
        RemotingConnection found =
                Shared.SERVER.getActiveMQServer().getRemotingService().getConnection(connection);
        if (found != null) {
            found.fail(ActiveMQExceptionType.DISCONNECTED.createException("cut by a test"));
        }
    }
}

package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.brokers.IsolatedClassPath;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An application without Spring")
class WithoutSpringTest {

    @Test
    @DisplayName("needs RabbitMQ's own client only")
    void needs_only_the_client() throws Exception {
        IsolatedClassPath.assertPackageLoads(AmqpReceiver.class, Inbox.class, SemelEngine.class, Channel.class);
    }
}

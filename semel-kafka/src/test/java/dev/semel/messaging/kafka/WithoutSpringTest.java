package dev.semel.messaging.kafka;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.brokers.IsolatedClassPath;
import org.apache.kafka.clients.consumer.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An application without Spring")
class WithoutSpringTest {

    @Test
    @DisplayName("needs Kafka's own client only")
    void needs_only_the_client() throws Exception {
        IsolatedClassPath.assertPackageLoads(KafkaInbox.class, Inbox.class, SemelEngine.class, Consumer.class);
    }
}

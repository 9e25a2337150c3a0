package dev.semel.messaging.jms;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.brokers.IsolatedClassPath;
import jakarta.jms.Message;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An application without Spring")
class WithoutSpringTest {

    @Test
    @DisplayName("needs the JMS API only")
    void needs_only_the_client() throws Exception {
        IsolatedClassPath.assertPackageLoads(JmsReceiver.class, Inbox.class, SemelEngine.class, Message.class);
    }
}

package dev.semel.messaging.jms;

import dev.semel.messaging.brokers.ConsumersUnderKills;
import dev.semel.testsupport.servers.ArtemisBroker;
import jakarta.jms.JMSContext;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("JMS consumers under kill -9")
class JmsKilledConsumersIT extends ConsumersUnderKills {

    JmsKilledConsumersIT() {
        super(JmsConsumerProcess.class, String.valueOf(ArtemisBroker.port()));
    }

    @Override
    protected String queueOf(List<String> intents) {
        String queue = ArtemisBroker.newQueue();
        try (JMSContext context =
                ArtemisBroker.connectionFactory(ArtemisBroker.port()).createContext(JMSContext.SESSION_TRANSACTED)) {
            for (String intent : intents) {
                context.createProducer()
                        .setProperty(JmsMessageIds.KEY_PROPERTY, intent)
                        .send(context.createQueue(queue), intent);
            }
            context.commit();
        }
        return queue;
    }

    @Override
    protected long depth(String queue) {
        return ArtemisBroker.depth(queue);
    }
}

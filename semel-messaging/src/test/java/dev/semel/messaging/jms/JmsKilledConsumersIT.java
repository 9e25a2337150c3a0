package dev.semel.messaging.jms;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.messaging.brokers.ArtemisBroker;
import dev.semel.messaging.brokers.EffectsDatabase;
import dev.semel.messaging.brokers.Intents;
import dev.semel.messaging.brokers.KilledConsumers;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSProducer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Consumers of JMS messages that are killed")
@Timeout(600)
class JmsKilledConsumersIT {

    @Test
    void have_handled_each_message_once_in_the_end_and_lost_none() throws Exception {
        Intents intents = Intents.configured();
        String queue = ArtemisBroker.newQueue();
        try (EffectsDatabase database = EffectsDatabase.start()) {
            publish(intents, queue);
            try (KilledConsumers consumers = KilledConsumers.start(
                    intents.killEvery(),
                    Intents.KILLS,
                    JmsConsumerProcess.class,
                    String.valueOf(ArtemisBroker.port()),
                    queue,
                    database.uri())) {
                await().atMost(Duration.ofMinutes(9)).until(() -> ArtemisBroker.depth(queue) == 0);
                assertThat(consumers.kills()).isEqualTo(Intents.KILLS);
            }
            assertThat(database.effects()).isEqualTo(intents.count());
            assertThat(database.intents()).isEqualTo(intents.count());
        }
    }

    private static void publish(Intents intents, String queue) {
        try (JMSContext context =
                ArtemisBroker.connectionFactory(ArtemisBroker.port()).createContext(JMSContext.SESSION_TRANSACTED)) {
            for (String intent : intents.published()) {
                JMSProducer producer = context.createProducer().setProperty(JmsLetters.KEY_PROPERTY, intent);
                producer.send(context.createQueue(queue), intent);
            }
            context.commit();
        }
    }
}

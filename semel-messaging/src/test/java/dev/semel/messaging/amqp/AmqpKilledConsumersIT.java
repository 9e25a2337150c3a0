package dev.semel.messaging.amqp;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.semel.messaging.brokers.EffectsDatabase;
import dev.semel.messaging.brokers.Intents;
import dev.semel.messaging.brokers.KilledConsumers;
import dev.semel.messaging.brokers.QpidBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Consumers of AMQP messages that are killed")
@Timeout(600)
class AmqpKilledConsumersIT {

    @Test
    void have_handled_each_message_once_in_the_end_and_lost_none() throws Exception {
        Intents intents = Intents.configured();
        try (EffectsDatabase database = EffectsDatabase.start();
                Connection connection = QpidBroker.connect(QpidBroker.port());
                Channel channel = connection.createChannel()) {
            String queue = QpidBroker.newQueue(channel);
            channel.confirmSelect();
            for (String intent : intents.published()) {
                channel.basicPublish(
                        "",
                        queue,
                        new BasicProperties.Builder()
                                .messageId(intent)
                                .deliveryMode(2)
                                .build(),
                        intent.getBytes(StandardCharsets.UTF_8));
            }
            channel.waitForConfirmsOrDie();
            try (KilledConsumers consumers = KilledConsumers.start(
                    intents.killEvery(),
                    Intents.KILLS,
                    AmqpConsumerProcess.class,
                    String.valueOf(QpidBroker.port()),
                    queue,
                    database.uri())) {
                await().atMost(Duration.ofMinutes(9)).until(() -> QpidBroker.depth(queue) == 0);
                assertThat(consumers.kills()).isEqualTo(Intents.KILLS);
            }
            assertThat(database.effects()).isEqualTo(intents.count());
            assertThat(database.intents()).isEqualTo(intents.count());
            assertThat(QpidBroker.depth(QpidBroker.deadLettersOf(queue))).isZero();
        }
    }
}

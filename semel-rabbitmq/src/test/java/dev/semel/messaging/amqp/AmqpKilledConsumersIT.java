package dev.semel.messaging.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.semel.messaging.brokers.ConsumersUnderKills;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("AMQP consumers under kill -9")
class AmqpKilledConsumersIT extends ConsumersUnderKills {

    private static final AmqpBroker BROKER = AmqpBroker.shared();

    AmqpKilledConsumersIT() {
        super(AmqpConsumerProcess.class, BROKER.uri());
    }

    @Override
    protected String queueOf(List<String> intents) throws Exception {
        try (Connection connection = BROKER.connect();
                Channel channel = connection.createChannel()) {
            String queue = BROKER.newQueue(channel);
            channel.confirmSelect();
            for (String intent : intents) {
                BasicProperties properties = new BasicProperties.Builder()
                        .messageId(intent)
                        .deliveryMode(2)
                        .build();
                channel.basicPublish("", queue, properties, intent.getBytes(StandardCharsets.UTF_8));
            }
            channel.waitForConfirmsOrDie();
            return queue;
        }
    }

    @Override
    protected long depth(String queue) {
        return BROKER.depth(queue);
    }
}

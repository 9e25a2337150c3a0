package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.messaging.brokers.EffectConsumer;
import java.time.Duration;

/** A process that consumes a queue through two channels, until it is killed. */
final class AmqpConsumerProcess {

    private AmqpConsumerProcess() {}

    public static void main(String[] arguments) throws Exception {
        EffectConsumer<Delivery> consumer = new EffectConsumer<>(
                arguments[2],
                AmqpMessageIds::of,
                message -> message.getProperties().getMessageId());
        Connection connection = AmqpBroker.connect(arguments[0]);
        for (int i = 0; i < 2; i++) {
            Channel channel = connection.createChannel();
            channel.basicQos(20);
            AmqpReceiver receiver =
                    AmqpReceiver.on(channel, consumer::handle).pause(new RedeliveryPause(Duration.ofMillis(50)));
            channel.basicConsume(arguments[1], false, receiver, tag -> {});
        }
        System.in.read();
        Runtime.getRuntime().halt(0);
    }
}

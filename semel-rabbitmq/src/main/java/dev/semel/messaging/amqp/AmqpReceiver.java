package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DeliverCallback;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.RedeliveryPause;
import java.util.List;
import java.util.function.Function;

/**
 * A consumer of an AMQP queue that handles one message after the other, each once, and acknowledges it afterwards.
 *
 * <pre>{@code
 * Inbox<Delivery> inbox = Inbox.of(semel, "mailer", AmqpMessageIds::of).build();
 * channel.basicQos(50);
 * channel.basicConsume("orders", false, AmqpReceiver.on(channel, message -> inbox.handle(message, mailer)), tag -> {});
 * }</pre>
 *
 * <p>It needs manual acknowledgement ({@code autoAck} false), and a prefetch ({@code basicQos}): a message that must be
 * redelivered is returned after a pause, and counts as prefetched until then.
 */
public final class AmqpReceiver implements DeliverCallback {

    private final Channel channel;
    private final Function<? super com.rabbitmq.client.Delivery, Delivery> inbox;
    private final ChannelAcknowledger acknowledger;

    private AmqpReceiver(
            Channel channel,
            Function<? super com.rabbitmq.client.Delivery, Delivery> inbox,
            RedeliveryPause redeliveryPause) {
        this.channel = channel;
        this.inbox = inbox;
        this.acknowledger = new ChannelAcknowledger(channel, redeliveryPause);
    }

    /**
     * A consumer of messages of this channel.
     *
     * @param inbox handles a message once, such as {@code message -> inbox.handle(message, handler)}
     */
    public static AmqpReceiver on(Channel channel, Function<? super com.rabbitmq.client.Delivery, Delivery> inbox) {
        return new AmqpReceiver(channel, inbox, RedeliveryPause.DEFAULT);
    }

    /** The pause before a message is returned for redelivery; one second by default. */
    public AmqpReceiver pause(RedeliveryPause redeliveryPause) {
        return new AmqpReceiver(channel, inbox, redeliveryPause);
    }

    @Override
    public void handle(String consumerTag, com.rabbitmq.client.Delivery message) {
        acknowledger.handle(List.of(message), messages -> List.of(inbox.apply(message)));
    }
}

package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DeliverCallback;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.RedeliveryPause;
import java.util.List;
import java.util.function.Function;

/**
 * A consumer of an AMQP queue that handles one message after the other, each once, and answers the broker when it is done.
 *
 * <pre>{@code
 * Inbox<Delivery> inbox = Inbox.of(semel, "mailer", AmqpLetters::of).build();
 * channel.basicQos(50);
 * channel.basicConsume("orders", false, AmqpReceiver.on(channel, message -> inbox.handle(message, mailer)), tag -> {});
 * }</pre>
 *
 * <p>It needs manual acknowledgement ({@code autoAck} false), and a prefetch ({@code basicQos}): a message that has to come
 * again is kept back for a while, and counts as prefetched.
 */
public final class AmqpReceiver implements DeliverCallback {

    private final Channel channel;
    private final Function<? super com.rabbitmq.client.Delivery, Delivery> inbox;
    private final Answers answers;

    private AmqpReceiver(
            Channel channel,
            Function<? super com.rabbitmq.client.Delivery, Delivery> inbox,
            RedeliveryPause redeliveryPause) {
        this.channel = channel;
        this.inbox = inbox;
        this.answers = new Answers(channel, redeliveryPause);
    }

    /**
     * A consumer on the channel that its messages come through.
     *
     * @param inbox handles a message once, such as {@code message -> inbox.handle(message, handler)}
     */
    public static AmqpReceiver on(Channel channel, Function<? super com.rabbitmq.client.Delivery, Delivery> inbox) {
        return new AmqpReceiver(channel, inbox, RedeliveryPause.DEFAULT);
    }

    /** How long a message that has to come again is kept back; a second by default. */
    public AmqpReceiver pause(RedeliveryPause redeliveryPause) {
        return new AmqpReceiver(channel, inbox, redeliveryPause);
    }

    @Override
    public void handle(String consumerTag, com.rabbitmq.client.Delivery message) {
        answers.handle(List.of(message), messages -> List.of(inbox.apply(message)));
    }
}

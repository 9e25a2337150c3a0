package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.amqp.spring.RabbitInboxAdvice;
import dev.semel.messaging.amqp.spring.SpringAmqpMessageIds;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executor;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;

/** The RabbitMQ snippets of docs/how-to/messages.md; {@code MessagingPageTest} of semel-messaging compares them. */
final class RabbitSnippets {

    private final MessageHandler<Delivery> mailer = (message, attempt) -> {};

    void one(SemelEngine semel, Channel channel) throws IOException {
        Inbox<Delivery> inbox = Inbox.of(semel, "mailer", AmqpMessageIds::of).build();
        channel.basicQos(50);
        channel.basicConsume(
                "orders", false, AmqpReceiver.on(channel, message -> inbox.handle(message, mailer)), tag -> {});
    }

    void deadLetters(Channel channel) throws IOException {
        channel.exchangeDeclare("dead", "fanout", true);
        channel.queueDeclare("orders.dead", true, false, false, null);
        channel.queueBind("orders.dead", "dead", "");
        channel.queueDeclare("orders", true, false, false, Map.of("x-dead-letter-exchange", "dead"));
    }

    void batches(Channel channel, Executor executor, Inbox<Delivery> inbox) throws IOException {
        channel.basicQos(200);
        channel.basicConsume(
                "orders",
                false,
                AmqpBatchReceiver.on(channel, executor, batch -> inbox.handleAll(batch, each -> each, mailer)),
                tag -> {});
    }

    void spring(SemelEngine semel, SimpleRabbitListenerContainerFactory factory) {
        factory.setAdviceChain(new RabbitInboxAdvice(
                Inbox.of(semel, "mailer", SpringAmqpMessageIds::of).build()));
    }
}

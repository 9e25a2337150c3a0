package dev.semel.messaging;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.amqp.AmqpBatchReceiver;
import dev.semel.messaging.amqp.AmqpLetters;
import dev.semel.messaging.amqp.AmqpReceiver;
import dev.semel.messaging.amqp.spring.InboxAdvice;
import dev.semel.messaging.amqp.spring.SpringAmqpLetters;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executor;
import org.springframework.amqp.rabbit.config.SimpleRabbitListenerContainerFactory;

/** What docs/how-to/messages.md shows of RabbitMQ; {@link MessagingPageTest} compares them. */
final class RabbitSnippets {

    private final MessageHandler<Delivery> mailer = (message, attempt) -> {};

    void one(SemelEngine semel, Channel channel) throws IOException {
        Inbox<Delivery> inbox = Inbox.of(semel, "mailer", AmqpLetters::of).build();
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
        factory.setAdviceChain(
                new InboxAdvice(Inbox.of(semel, "mailer", SpringAmqpLetters::of).build()));
    }
}

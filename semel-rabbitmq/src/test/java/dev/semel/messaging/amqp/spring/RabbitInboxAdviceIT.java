package dev.semel.messaging.amqp.spring;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.messaging.amqp.AmqpBroker;
import dev.semel.testsupport.stores.FaultyStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.amqp.AmqpRejectAndDontRequeueException;
import org.springframework.amqp.core.Message;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.core.MessageListener;
import org.springframework.amqp.rabbit.connection.CachingConnectionFactory;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.amqp.rabbit.listener.SimpleMessageListenerContainer;

@DisplayName("A Spring AMQP listener with an inbox")
@Timeout(300)
class RabbitInboxAdviceIT {

    private static final AmqpBroker BROKER = AmqpBroker.shared();

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final Inbox<Message> inbox =
            Inbox.of(semel, "mailer", SpringAmqpMessageIds::of).maxAttempts(3).build();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final AtomicInteger calls = new AtomicInteger();
    private CachingConnectionFactory connections;
    private SimpleMessageListenerContainer container;
    private String queue;

    @BeforeEach
    void connect() throws Exception {
        connections = new CachingConnectionFactory(URI.create(BROKER.uri()));
        try (Connection connection = BROKER.connect();
                Channel channel = connection.createChannel()) {
            queue = BROKER.newQueue(channel);
        }
    }

    @AfterEach
    void close() {
        if (container != null) {
            container.stop();
        }
        connections.destroy();
        semel.close();
    }

    private void effect(Message message) {
        effects.add(new String(message.getBody(), StandardCharsets.UTF_8));
    }

    private void publish(String id, String text) {
        new RabbitTemplate(connections)
                .send(
                        "",
                        queue,
                        MessageBuilder.withBody(text.getBytes(StandardCharsets.UTF_8))
                                .setMessageId(id)
                                .build());
    }

    private void listen(MessageListener listener) {
        container = new SimpleMessageListenerContainer(connections);
        container.setQueueNames(queue);
        container.setMismatchedQueuesFatal(false);
        container.setAdviceChain(new RabbitInboxAdvice(inbox, new RedeliveryPause(Duration.ofMillis(20))));
        container.setMessageListener(message -> {
            calls.incrementAndGet();
            listener.onMessage(message);
        });
        container.afterPropertiesSet();
        container.start();
    }

    private void awaitEmptyQueue() {
        await().until(() -> BROKER.depth(queue) == 0);
    }

    private int deadLetters() {
        return BROKER.depth(BROKER.deadLettersOf(queue));
    }

    @Test
    void is_called_once_for_a_message_that_was_published_twice() {
        publish("m1", "hello");
        publish("m1", "hello");
        listen(this::effect);
        awaitEmptyQueue();
        assertThat(effects).containsExactly("hello");
        assertThat(deadLetters()).isZero();
    }

    @Test
    void is_called_again_after_a_failure_and_a_poison_message_is_rejected_after_the_last_attempt() {
        publish("m1", "poison");
        listen(message -> {
            throw new IllegalStateException("cannot be parsed");
        });
        await().until(() -> deadLetters() == 1);
        awaitEmptyQueue();
        assertThat(calls).hasValue(3);
    }

    @Test
    void can_reject_a_message_itself() {
        publish("m1", "hello");
        listen(message -> {
            throw new AmqpRejectAndDontRequeueException("not mine");
        });
        await().until(() -> deadLetters() == 1);
        awaitEmptyQueue();
        assertThat(calls).hasValue(1);
    }

    @Test
    void is_not_called_while_the_store_is_down_and_for_everything_afterwards() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        publish("m1", "hello");
        listen(this::effect);
        awaitEmptyQueue();
        assertThat(calls).hasValue(1);
        assertThat(effects).containsExactly("hello");
    }
}

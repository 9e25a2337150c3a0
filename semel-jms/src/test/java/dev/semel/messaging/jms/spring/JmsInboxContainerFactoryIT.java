package dev.semel.messaging.jms.spring;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.messaging.jms.DeadLetters;
import dev.semel.messaging.jms.JmsMessageIds;
import dev.semel.testsupport.servers.ArtemisBroker;
import dev.semel.testsupport.stores.FaultyStore;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.jms.annotation.EnableJms;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.config.DefaultJmsListenerContainerFactory;
import org.springframework.jms.config.SimpleJmsListenerEndpoint;
import org.springframework.jms.listener.DefaultMessageListenerContainer;

@DisplayName("A Spring JMS listener with an inbox")
@Timeout(300)
class JmsInboxContainerFactoryIT {

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final Inbox<Message> inbox =
            Inbox.of(semel, "mailer", JmsMessageIds::of).maxAttempts(3).build();
    private final Orders orders = new Orders();
    private final String queue = ArtemisBroker.newQueue();
    private final String dead = ArtemisBroker.newQueue();
    private final AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
    private JMSContext sender;

    /** An ordinary listener of an application. */
    static final class Orders {

        private final List<String> texts = new CopyOnWriteArrayList<>();

        @JmsListener(destination = "${orders}")
        void order(String text) {
            texts.add(text);
            if (text.equals("poison")) {
                throw new IllegalStateException("cannot be parsed");
            }
        }
    }

    @Configuration
    @EnableJms
    static class Listening {}

    private static DefaultJmsListenerContainerFactory plainFactory(boolean transacted) {
        DefaultJmsListenerContainerFactory factory = new DefaultJmsListenerContainerFactory();
        factory.setConnectionFactory(ArtemisBroker.connectionFactory(ArtemisBroker.port()));
        factory.setSessionTransacted(transacted);
        return factory;
    }

    @BeforeEach
    void start() {
        sender = ArtemisBroker.connectionFactory(ArtemisBroker.port()).createContext();
        JmsInboxContainerFactory<DefaultMessageListenerContainer> factory = new JmsInboxContainerFactory<>(
                        plainFactory(true), inbox)
                .deadLettersTo(sender.createQueue(dead))
                .pause(new RedeliveryPause(Duration.ofMillis(20)));
        application
                .getEnvironment()
                .getPropertySources()
                .addFirst(new MapPropertySource("test", Map.of("orders", queue)));
        application.registerBean("jmsListenerContainerFactory", JmsInboxContainerFactory.class, () -> factory);
        application.registerBean(Orders.class, () -> orders);
        application.register(Listening.class);
        application.refresh();
    }

    @AfterEach
    void close() {
        application.close();
        sender.close();
        semel.close();
    }

    private void send(String key, String text) {
        sender.createProducer().setProperty(JmsMessageIds.KEY_PROPERTY, key).send(sender.createQueue(queue), text);
    }

    private void awaitEmptyQueue() {
        await().until(() -> ArtemisBroker.depth(queue) == 0);
    }

    @Test
    void is_called_once_for_a_message_that_was_sent_twice() {
        send("m1", "hello");
        send("m1", "hello");
        awaitEmptyQueue();
        assertThat(orders.texts).containsExactly("hello");
    }

    @Test
    void a_poison_message_is_a_dead_letter_with_the_reason_after_the_last_attempt() throws JMSException {
        send("m1", "poison");
        Message letter = sender.createConsumer(sender.createQueue(dead)).receive();
        assertThat(letter.getStringProperty(DeadLetters.REASON_PROPERTY))
                .isEqualTo("IllegalStateException: cannot be parsed");
        awaitEmptyQueue();
        assertThat(orders.texts).containsExactly("poison", "poison", "poison");
    }

    @Test
    void is_not_called_while_the_store_is_down_and_for_everything_afterwards() {
        store.failNext(FaultyStore.Verb.CLAIM, FaultyStore.Fault.REFUSED);
        send("m1", "hello");
        awaitEmptyQueue();
        assertThat(orders.texts).containsExactly("hello");
    }

    @Test
    void is_refused_in_sessions_that_are_not_transacted() {
        JmsInboxContainerFactory<DefaultMessageListenerContainer> factory =
                new JmsInboxContainerFactory<>(plainFactory(false), inbox);
        SimpleJmsListenerEndpoint endpoint = new SimpleJmsListenerEndpoint();
        endpoint.setDestination(queue);
        endpoint.setMessageListener(message -> {});
        assertThatThrownBy(() -> factory.createListenerContainer(endpoint))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("setSessionTransacted(true)");
    }
}

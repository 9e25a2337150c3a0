package dev.semel.messaging.jms;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.testsupport.servers.ArtemisBroker;
import jakarta.jms.Connection;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.jms.client.ActiveMQMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A JMS receiver of malformed messages")
@Timeout(300)
class JmsHostileMessagesIT {

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
    private final Inbox<Message> inbox =
            Inbox.of(semel, "mailer", JmsMessageIds::of).maxAttempts(1).build();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final String queue = ArtemisBroker.newQueue();
    private final String dead = ArtemisBroker.newQueue();
    private Connection connection;
    private JMSContext sender;

    @BeforeEach
    void connect() throws JMSException {
        connection = ArtemisBroker.connectionFactory(ArtemisBroker.port()).createConnection();
        sender = ArtemisBroker.connectionFactory(ArtemisBroker.port()).createContext();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        sender.close();
        semel.close();
    }

    /** Like clients of the broker's other protocols, which are not bound by the rules of JMS. */
    private void send(String text, Consumer<ClientMessage> properties) {
        Message message = sender.createTextMessage(text);
        properties.accept(((ActiveMQMessage) message).getCoreMessage());
        sender.createProducer().send(sender.createQueue(queue), message);
    }

    private void consume(Function<Message, Delivery> handling) throws JMSException {
        Session session = connection.createSession(Session.SESSION_TRANSACTED);
        session.createConsumer(session.createQueue(queue))
                .setMessageListener(JmsReceiver.in(session, handling)
                        .deadLettersTo(session.createQueue(dead))
                        .pause(RedeliveryPause.NONE));
        connection.start();
    }

    private Delivery handle(Message message) {
        return inbox.handle(message, (delivered, attempt) -> effects.add(delivered.getBody(String.class)));
    }

    private Message deadLetter() {
        try (var consumer = sender.createConsumer(sender.createQueue(dead))) {
            return consumer.receive();
        }
    }

    @Test
    void dead_letters_one_whose_key_is_not_text() throws JMSException {
        send("bytes", message -> message.putBytesProperty(JmsMessageIds.KEY_PROPERTY, new byte[] {1, 2}));
        send("text", message -> message.putStringProperty(JmsMessageIds.KEY_PROPERTY, "m2"));
        consume(this::handle);
        assertThat(deadLetter().getStringProperty(DeadLetters.REASON_PROPERTY)).isEqualTo("id_invalid");
        await().until(() -> ArtemisBroker.depth(queue) == 0);
        assertThat(effects).containsExactly("text");
    }

    @Test
    void dead_letters_one_with_a_property_that_jms_does_not_allow_to_set() throws JMSException {
        send(
                "poison",
                message ->
                        message.putStringProperty("content-type", "text/plain").putStringProperty("shop", "7"));
        consume(message -> inbox.handle(message, (delivered, attempt) -> {
            throw new IllegalStateException("cannot be parsed");
        }));
        Message letter = deadLetter();
        assertThat(letter.getBody(String.class)).isEqualTo("poison");
        assertThat(letter.getStringProperty("shop")).isEqualTo("7");
        await().until(() -> ArtemisBroker.depth(queue) == 0);
    }

    @Test
    void does_not_commit_one_with_the_next_after_an_error() throws JMSException {
        AtomicBoolean failed = new AtomicBoolean();
        send("first", message -> {});
        send("second", message -> {});
        consume(message -> {
            if (failed.compareAndSet(false, true)) {
                throw new StackOverflowError();
            }
            return handle(message);
        });
        await().until(() -> ArtemisBroker.depth(queue) == 0);
        assertThat(effects).containsExactly("first", "second");
    }
}

package dev.semel.messaging.jms;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Delivery.Acknowledge;
import dev.semel.messaging.Delivery.Redeliver;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.testsupport.servers.ArtemisBroker;
import dev.semel.testsupport.stores.FaultyStore;
import jakarta.jms.Connection;
import jakarta.jms.JMSConsumer;
import jakarta.jms.JMSContext;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("A JMS receiver")
@Timeout(300)
class JmsReceiverIT {

    private static final RedeliveryPause SHORT = new RedeliveryPause(Duration.ofMillis(20));

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final Inbox<Message> inbox =
            Inbox.of(semel, "mailer", JmsMessageIds::of).maxAttempts(3).build();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final List<Boolean> flags = new CopyOnWriteArrayList<>();
    private final List<Delivery> fates = new CopyOnWriteArrayList<>();
    private final String queue = ArtemisBroker.newQueue();
    private final String dead = ArtemisBroker.newQueue();
    private Connection connection;
    private JMSContext sender;

    @BeforeEach
    void connect() throws JMSException {
        connection = newConnection();
        sender = ArtemisBroker.connectionFactory(ArtemisBroker.port()).createContext();
    }

    private static Connection newConnection() throws JMSException {
        return ArtemisBroker.connectionFactory(ArtemisBroker.port()).createConnection();
    }

    @AfterEach
    void close() throws JMSException {
        connection.close();
        sender.close();
        semel.close();
    }

    private void effect(Message message) throws JMSException {
        effects.add(message.getBody(String.class));
    }

    private void send(String key, String text) {
        sender.createProducer().setProperty(JmsMessageIds.KEY_PROPERTY, key).send(sender.createQueue(queue), text);
    }

    private void consume(MessageHandler<Message> handler) throws JMSException {
        consume(connection, queue, true, handler);
    }

    private void consume(Connection on, String from, boolean ownDeadLetters, MessageHandler<Message> handler)
            throws JMSException {
        Session session = on.createSession(Session.SESSION_TRANSACTED);
        JmsReceiver receiver = JmsReceiver.in(session, message -> {
                    flags.add(redelivered(message));
                    Delivery fate = inbox.handle(message, handler);
                    fates.add(fate);
                    return fate;
                })
                .pause(SHORT);
        session.createConsumer(session.createQueue(from))
                .setMessageListener(ownDeadLetters ? receiver.deadLettersTo(session.createQueue(dead)) : receiver);
        on.start();
    }

    private static boolean redelivered(Message message) {
        try {
            return message.getJMSRedelivered();
        } catch (JMSException e) {
            throw new IllegalStateException(e);
        }
    }

    private void awaitEmptyQueue() {
        await().until(() -> ArtemisBroker.depth(queue) == 0);
    }

    @Test
    void refuses_a_session_that_is_not_transacted() throws JMSException {
        Session session = connection.createSession(Session.CLIENT_ACKNOWLEDGE);
        assertThatThrownBy(() -> JmsReceiver.in(session, message -> new Acknowledge(false)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("SESSION_TRANSACTED");
    }

    @Test
    void handles_a_message_once_that_was_sent_twice_although_not_flagged_as_redelivered() throws JMSException {
        send("m1", "hello");
        send("m1", "hello");
        consume((message, attempt) -> effect(message));
        awaitEmptyQueue();
        assertThat(flags).containsExactly(false, false);
        assertThat(fates).containsExactly(new Acknowledge(false), new Acknowledge(true));
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void handles_an_unhandled_message_although_flagged_as_redelivered() throws JMSException {
        send("m1", "hello");
        try (JMSContext other = ArtemisBroker.connectionFactory(ArtemisBroker.port())
                        .createContext(JMSContext.SESSION_TRANSACTED);
                JMSConsumer consumer = other.createConsumer(other.createQueue(queue))) {
            assertThat(consumer.receive()).isNotNull();
            other.rollback();
        }
        consume((message, attempt) -> effect(message));
        awaitEmptyQueue();
        assertThat(flags).containsExactly(true);
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void identifies_a_message_without_a_key_by_its_jms_message_id() throws JMSException {
        AtomicBoolean failed = new AtomicBoolean();
        sender.createProducer().send(sender.createQueue(queue), "hello");
        consume((message, attempt) -> {
            effect(message);
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("after all");
            }
        });
        awaitEmptyQueue();
        assertThat(effects).containsExactly("hello", "hello");
        assertThat(fates).containsExactly(new Redeliver("handler_failed"), new Acknowledge(false));
    }

    @Test
    void sends_a_poison_message_to_the_dead_letters_after_the_last_attempt_with_the_reason_and_its_properties()
            throws JMSException {
        sender.createProducer()
                .setProperty(JmsMessageIds.KEY_PROPERTY, "m1")
                .setProperty("shop", 7)
                .send(sender.createQueue(queue), "poison");
        consume((message, attempt) -> {
            throw new IllegalStateException("cannot be parsed");
        });
        Message letter = sender.createConsumer(sender.createQueue(dead)).receive();
        assertThat(letter.getBody(String.class)).isEqualTo("poison");
        assertThat(letter.getIntProperty("shop")).isEqualTo(7);
        assertThat(letter.getStringProperty(JmsMessageIds.KEY_PROPERTY)).isEqualTo("m1");
        assertThat(letter.getStringProperty(DeadLetters.REASON_PROPERTY))
                .isEqualTo("IllegalStateException: cannot be parsed");
        assertThat(letter.getStringProperty(DeadLetters.ORIGINAL_ID_PROPERTY)).startsWith("ID:");
        awaitEmptyQueue();
        assertThat(fates).hasSize(3);
    }

    @Test
    void leaves_a_poison_message_to_the_broker_limit_without_more_attempts() throws JMSException {
        String limited = ArtemisBroker.newLimitedQueue();
        List<Integer> attempts = new CopyOnWriteArrayList<>();
        sender.createProducer().send(sender.createQueue(limited), "poison");
        consume(connection, limited, false, (message, attempt) -> {
            attempts.add(attempt.number());
            throw new IllegalStateException("cannot be parsed");
        });
        Message letter = sender.createConsumer(sender.createQueue(ArtemisBroker.deadLettersOf(limited)))
                .receive();
        assertThat(letter.getBody(String.class)).isEqualTo("poison");
        assertThat(attempts).containsExactly(1, 2, 3);
        assertThat(fates).hasSize(5);
    }

    @Test
    void rolls_back_a_duplicate_of_a_message_in_progress() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        send("m1", "hello");
        consume((message, attempt) -> {
            begun.countDown();
            finish.await();
            effect(message);
        });
        begun.await();
        try (Connection other = newConnection()) {
            consume(other, queue, true, (message, attempt) -> effect(message));
            // The broker gives one of the two to the idle consumer.
            send("m1", "hello");
            send("m1", "hello");
            await().until(() -> fates.contains(new Redeliver("in_progress")));
            assertThat(effects).isEmpty();
            finish.countDown();
            awaitEmptyQueue();
        }
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void handles_nothing_while_the_store_is_down_and_everything_afterwards() throws JMSException {
        store.down();
        send("m1", "hello");
        send("m2", "world");
        consume((message, attempt) -> effect(message));
        await().until(() -> fates.size() >= 4);
        assertThat(effects).isEmpty();
        assertThat(ArtemisBroker.depth(queue)).isEqualTo(2);
        store.up();
        awaitEmptyQueue();
        assertThat(effects).containsExactlyInAnyOrder("hello", "world");
    }

    @Test
    void commits_a_message_without_effect_that_was_handled_before_the_connection_was_cut() throws Exception {
        send("m1", "hello");
        CountDownLatch handled = new CountDownLatch(1);
        CountDownLatch isCut = new CountDownLatch(1);
        try (Connection cut = newConnection()) {
            consume(cut, queue, true, (message, attempt) -> {
                effect(message);
                handled.countDown();
                isCut.await();
            });
            handled.await();
            ArtemisBroker.cutConsumersOf(queue);
            await().until(() -> ArtemisBroker.consumers(queue) == 0);
            isCut.countDown();
            await().until(() -> fates.size() == 1);
            assertThat(ArtemisBroker.depth(queue)).isEqualTo(1);
            consume((message, attempt) -> effect(message));
            awaitEmptyQueue();
        }
        assertThat(fates).containsExactly(new Acknowledge(false), new Acknowledge(true));
        assertThat(effects).containsExactly("hello");
    }
}

package dev.semel.messaging.amqp;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.GetResponse;
import dev.semel.Identity;
import dev.semel.Key;
import dev.semel.Scope;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Delivery.Acknowledge;
import dev.semel.messaging.Delivery.Redeliver;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.testsupport.stores.FaultyStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("An AMQP receiver")
@Timeout(300)
class AmqpReceiverIT {

    private static final AmqpBroker BROKER = AmqpBroker.shared();

    /** Small, so that a busy consumer leaves messages to others. */
    private static final int PREFETCH = 1;

    private static final RedeliveryPause SHORT = new RedeliveryPause(Duration.ofMillis(20));

    private final FaultyStore store = new FaultyStore(new MemoryStore());
    private final SemelEngine semel = SemelEngine.on(store).build();
    private final Inbox<Delivery> inbox =
            Inbox.of(semel, "mailer", AmqpMessageIds::of).maxAttempts(3).build();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final List<Boolean> flags = new CopyOnWriteArrayList<>();
    private final List<dev.semel.messaging.Delivery> fates = new CopyOnWriteArrayList<>();
    private Connection connection;
    private Channel channel;
    private String queue;

    @BeforeEach
    void connect() throws Exception {
        connection = BROKER.connect();
        channel = connection.createChannel();
        queue = BROKER.newQueue(channel);
    }

    @AfterEach
    void close() {
        connection.abort();
        semel.close();
    }

    private void effect(Delivery message) {
        effects.add(new String(message.getBody(), StandardCharsets.UTF_8));
    }

    private void publish(String id, String text) throws IOException {
        publish(new BasicProperties.Builder().messageId(id).build(), text);
    }

    private void publish(BasicProperties properties, String text) throws IOException {
        channel.basicPublish("", queue, properties, text.getBytes(StandardCharsets.UTF_8));
    }

    private void consume(MessageHandler<Delivery> handler) throws IOException {
        consume(channel, handler);
    }

    private void consume(Channel on, MessageHandler<Delivery> handler) throws IOException {
        on.basicQos(PREFETCH);
        AmqpReceiver receiver = AmqpReceiver.on(on, message -> {
                    flags.add(message.getEnvelope().isRedeliver());
                    dev.semel.messaging.Delivery fate = inbox.handle(message, handler);
                    fates.add(fate);
                    return fate;
                })
                .pause(SHORT);
        on.basicConsume(queue, false, receiver, tag -> {});
    }

    private void awaitEmptyQueue() {
        await().until(() -> BROKER.depth(queue) == 0);
    }

    @Test
    void handles_a_message_once_that_was_published_twice_although_not_flagged_as_redelivered() throws IOException {
        publish("m1", "hello");
        publish("m1", "hello");
        consume((message, attempt) -> effect(message));
        awaitEmptyQueue();
        assertThat(flags).containsExactly(false, false);
        assertThat(fates).containsExactly(new Acknowledge(false), new Acknowledge(true));
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void handles_an_unhandled_message_although_flagged_as_redelivered() throws Exception {
        publish("m1", "hello");
        Channel other = connection.createChannel();
        await().until(() -> {
            GetResponse taken = other.basicGet(queue, false);
            return taken != null;
        });
        other.close();
        consume((message, attempt) -> effect(message));
        awaitEmptyQueue();
        assertThat(flags).containsExactly(true);
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void prefers_the_key_header_to_the_message_id_and_uses_the_content_without_either() throws IOException {
        Map<String, Object> headers = Map.of(AmqpMessageIds.KEY_HEADER, "order-7");
        publish(new BasicProperties.Builder().headers(headers).messageId("p1").build(), "paid");
        publish(new BasicProperties.Builder().headers(headers).messageId("p2").build(), "paid");
        publish(new BasicProperties(), "shipped");
        publish(new BasicProperties(), "shipped");
        consume((message, attempt) -> effect(message));
        awaitEmptyQueue();
        assertThat(effects).containsExactlyInAnyOrder("paid", "shipped");
    }

    @Test
    void receives_a_message_again_whose_handler_failed() throws IOException {
        AtomicBoolean failed = new AtomicBoolean();
        publish("m1", "hello");
        consume((message, attempt) -> {
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("no mail server");
            }
            effect(message);
        });
        awaitEmptyQueue();
        assertThat(fates).containsExactly(new Redeliver("handler_failed"), new Acknowledge(false));
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void rejects_a_poison_message_after_the_last_attempt_and_records_the_reason() throws IOException {
        publish("m1", "poison");
        consume((message, attempt) -> {
            throw new IllegalStateException("cannot be parsed");
        });
        await().until(() -> BROKER.depth(BROKER.deadLettersOf(queue)) == 1);
        awaitEmptyQueue();
        assertThat(fates).hasSize(3);
        assertThat(semel.find(new Identity(Scope.of("inbox", "mailer"), Key.of("m1"))))
                .hasValueSatisfying(
                        record -> assertThat(new String(record.response().bytes(), StandardCharsets.UTF_8))
                                .endsWith("IllegalStateException: cannot be parsed"));
    }

    @Test
    void rejects_other_content_with_a_used_id_at_once() throws IOException {
        publish("m1", "hello");
        publish("m1", "something else");
        consume((message, attempt) -> effect(message));
        await().until(() -> BROKER.depth(BROKER.deadLettersOf(queue)) == 1);
        awaitEmptyQueue();
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void requeues_a_duplicate_of_a_message_in_progress() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch finish = new CountDownLatch(1);
        publish("m1", "hello");
        consume((message, attempt) -> {
            begun.countDown();
            finish.await();
            effect(message);
        });
        begun.await();
        consume(connection.createChannel(), (message, attempt) -> effect(message));
        publish("m1", "hello");
        await().until(() -> fates.contains(new Redeliver("in_progress")));
        assertThat(effects).isEmpty();
        finish.countDown();
        awaitEmptyQueue();
        assertThat(effects).containsExactly("hello");
    }

    @Test
    void handles_nothing_while_the_store_is_down_and_everything_afterwards() throws IOException {
        store.down();
        publish("m1", "hello");
        publish("m2", "world");
        consume((message, attempt) -> effect(message));
        await().until(() -> fates.size() >= 6);
        assertThat(effects).isEmpty();
        assertThat(BROKER.depth(queue)).isEqualTo(2);
        store.up();
        awaitEmptyQueue();
        assertThat(effects).containsExactlyInAnyOrder("hello", "world");
    }

    @Test
    void acknowledges_a_message_without_effect_that_was_handled_before_the_connection_was_cut() throws Exception {
        publish("m1", "hello");
        Connection cut = BROKER.connect();
        consume(cut.createChannel(), (message, attempt) -> {
            effect(message);
            cut.abort();
        });
        await().until(() -> fates.size() == 1);
        await().until(() -> !cut.isOpen());
        assertThat(BROKER.depth(queue)).isEqualTo(1);
        consume((message, attempt) -> effect(message));
        awaitEmptyQueue();
        assertThat(flags).containsExactly(false, true);
        assertThat(fates).containsExactly(new Acknowledge(false), new Acknowledge(true));
        assertThat(effects).containsExactly("hello");
    }
}

package dev.semel.messaging.amqp;

import static dev.semel.messaging.brokers.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.Delivery;
import dev.semel.engine.SemelEngine;
import dev.semel.memory.MemoryStore;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.RedeliveryPause;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("An AMQP batch receiver")
@Timeout(300)
class AmqpBatchReceiverIT {

    private static final AmqpBroker BROKER = AmqpBroker.shared();

    private static final int MESSAGES = 100;

    private final SemelEngine semel = SemelEngine.on(new MemoryStore()).build();
    private final Inbox<Delivery> inbox =
            Inbox.of(semel, "mailer", AmqpMessageIds::of).build();
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private final List<String> effects = new CopyOnWriteArrayList<>();
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();
    private final CountDownLatch published = new CountDownLatch(1);
    private Connection connection;
    private Channel channel;
    private String queue;

    @BeforeEach
    void connect() throws Exception {
        connection = BROKER.connect();
        channel = connection.createChannel();
        queue = BROKER.newQueue(channel);
        channel.confirmSelect();
    }

    @AfterEach
    void close() {
        connection.abort();
        executor.shutdownNow();
        semel.close();
    }

    private void publish(String text) throws IOException {
        channel.basicPublish(
                "",
                queue,
                new BasicProperties.Builder().messageId(text).build(),
                text.getBytes(StandardCharsets.UTF_8));
    }

    private static String textOf(Delivery message) {
        return new String(message.getBody(), StandardCharsets.UTF_8);
    }

    private void consume(Channel on, MessageHandler<Delivery> handler) throws IOException {
        on.basicQos(2 * MESSAGES);
        on.basicConsume(
                queue,
                false,
                AmqpBatchReceiver.on(on, executor, batch -> {
                            sizes.add(batch.size());
                            return inbox.handleAll(batch, each -> each, handler);
                        })
                        .pause(new RedeliveryPause(Duration.ofMillis(20))),
                tag -> {});
    }

    /** The first message blocks its batch until all the others have arrived. */
    private void awaitOthers(Delivery message) throws InterruptedException {
        if (textOf(message).equals("m0")) {
            published.await();
        }
    }

    @Test
    void handles_the_messages_that_arrived_during_a_batch_as_the_next_batch_and_duplicates_once() throws Exception {
        consume(connection.createChannel(), (message, attempt) -> {
            awaitOthers(message);
            effects.add(textOf(message));
        });
        for (int i = 0; i < MESSAGES; i++) {
            publish("m" + i);
            if (i % 10 == 0) {
                publish("m" + i);
            }
        }
        channel.waitForConfirmsOrDie();
        published.countDown();
        await().until(() -> BROKER.depth(queue) == 0);
        assertThat(effects).hasSize(MESSAGES).doesNotHaveDuplicates();
        assertThat(sizes).hasSizeLessThan(MESSAGES);
    }

    @Test
    void does_not_acknowledge_a_redelivered_message_together_with_the_others() throws Exception {
        AtomicBoolean failed = new AtomicBoolean();
        consume(connection.createChannel(), (message, attempt) -> {
            awaitOthers(message);
            if (textOf(message).equals("m3") && failed.compareAndSet(false, true)) {
                throw new IllegalStateException("once");
            }
            effects.add(textOf(message));
        });
        for (int i = 0; i < MESSAGES; i++) {
            publish("m" + i);
        }
        channel.waitForConfirmsOrDie();
        published.countDown();
        await().until(() -> BROKER.depth(queue) == 0);
        assertThat(effects).hasSize(MESSAGES).doesNotHaveDuplicates();
    }

    @Test
    void does_not_acknowledge_messages_of_another_consumer_of_its_channel() throws Exception {
        String others = BROKER.newQueue(channel);
        channel.basicPublish("", others, new BasicProperties(), new byte[] {1});
        channel.waitForConfirmsOrDie();
        Channel shared = connection.createChannel();
        assertThat(shared.basicGet(others, false)).isNotNull();
        consume(shared, (message, attempt) -> {
            awaitOthers(message);
            effects.add(textOf(message));
        });
        for (int i = 0; i < MESSAGES; i++) {
            publish("m" + i);
        }
        channel.waitForConfirmsOrDie();
        published.countDown();
        await().until(() -> BROKER.depth(queue) == 0);
        assertThat(BROKER.depth(others)).isEqualTo(1);
    }
}

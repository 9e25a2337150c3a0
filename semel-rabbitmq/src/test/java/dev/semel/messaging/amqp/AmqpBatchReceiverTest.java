package dev.semel.messaging.amqp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.Envelope;
import dev.semel.messaging.Delivery.Acknowledge;
import dev.semel.messaging.RedeliveryPause;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A batch receiver")
class AmqpBatchReceiverTest {

    private final List<String> answers = new CopyOnWriteArrayList<>();
    private final Channel channel = (Channel) Proxy.newProxyInstance(
            Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (proxy, method, arguments) -> {
                answers.add(method.getName() + Arrays.toString(arguments));
                return null;
            });

    private static List<dev.semel.messaging.Delivery> acknowledged(List<Delivery> batch) {
        return Collections.nCopies(batch.size(), new Acknowledge(false));
    }

    private static Delivery message(long tag) {
        return new Delivery(new Envelope(tag, false, "", "orders"), new BasicProperties(), new byte[0]);
    }

    @Test
    void handles_a_message_that_the_executor_refused_with_the_next_one() {
        AtomicBoolean refused = new AtomicBoolean();
        AmqpBatchReceiver receiver = AmqpBatchReceiver.on(
                channel,
                task -> {
                    if (refused.compareAndSet(false, true)) {
                        throw new RejectedExecutionException("full");
                    }
                    task.run();
                },
                AmqpBatchReceiverTest::acknowledged);
        assertThatThrownBy(() -> receiver.handle("tag", message(1))).isInstanceOf(RejectedExecutionException.class);
        receiver.handle("tag", message(2));
        assertThat(answers).containsExactly("basicAck[2, true]");
    }

    @Test
    void returns_messages_after_an_error_and_continues() {
        AtomicBoolean failed = new AtomicBoolean();
        AmqpBatchReceiver receiver = AmqpBatchReceiver.on(channel, Runnable::run, batch -> {
                    if (failed.compareAndSet(false, true)) {
                        throw new StackOverflowError();
                    }
                    return acknowledged(batch);
                })
                .pause(RedeliveryPause.NONE);
        receiver.handle("tag", message(1));
        receiver.handle("tag", message(2));
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() -> assertThat(answers)
                        .containsExactlyInAnyOrder("basicNack[1, false, true]", "basicAck[2, false]"));
    }
}

package dev.semel.spring.messaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import dev.semel.messaging.amqp.AmqpBroker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.amqp.core.MessageBuilder;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

@DisplayName("A RabbitMQ listener of a Spring Boot application")
@Timeout(300)
class IdempotentRabbitListenersIT {

    private static final AmqpBroker BROKER = AmqpBroker.shared();

    private String mails;
    private String audits;
    private String plain;

    /** Two idempotent listeners of different queues, and one that is not idempotent. */
    @EnableAutoConfiguration
    static class Orders {

        private final List<String> mailed = new CopyOnWriteArrayList<>();
        private final List<String> audited = new CopyOnWriteArrayList<>();
        private final List<String> plain = new CopyOnWriteArrayList<>();
        private final List<String> poisoned = new CopyOnWriteArrayList<>();

        @RabbitListener(queues = "${mails}", containerFactory = IdempotentListeners.RABBIT)
        void mail(String order) {
            if (order.equals("poison")) {
                poisoned.add(order);
                throw new IllegalStateException("cannot be parsed");
            }
            mailed.add(order);
        }

        @RabbitListener(queues = "${audits}", containerFactory = IdempotentListeners.RABBIT)
        void audit(String order) {
            audited.add(order);
        }

        @RabbitListener(queues = "${plain}")
        void plain(String order) {
            plain.add(order);
        }
    }

    @BeforeEach
    void declareQueues() throws Exception {
        try (Connection connection = BROKER.connect();
                Channel channel = connection.createChannel()) {
            mails = BROKER.newQueue(channel);
            audits = BROKER.newQueue(channel);
            plain = BROKER.newQueue(channel);
        }
    }

    private ConfigurableApplicationContext start(String... properties) {
        String[] all = new String[properties.length + 6];
        all[0] = "mails=" + mails;
        all[1] = "audits=" + audits;
        all[2] = "plain=" + plain;
        all[3] = "spring.rabbitmq.addresses=" + BROKER.uri();
        all[4] = "semel.inbox.max-attempts=2";
        all[5] = "semel.inbox.redelivery-pause=20ms";
        System.arraycopy(properties, 0, all, 6, properties.length);
        return BrokerApplication.start(Orders.class, all);
    }

    private static void publish(ConfigurableApplicationContext context, String queue, String id, String text) {
        context.getBean(RabbitTemplate.class)
                .send(
                        "",
                        queue,
                        MessageBuilder.withBody(text.getBytes(UTF_8))
                                .setContentType("text/plain")
                                .setMessageId(id)
                                .build());
    }

    private void assertHandledOncePerQueue(ConfigurableApplicationContext context) {
        for (String queue : List.of(mails, audits, plain)) {
            publish(context, queue, "m1", "lamp");
            publish(context, queue, "m1", "lamp");
            publish(context, queue, "m2", "chair");
        }
        Orders orders = context.getBean(Orders.class);
        await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
            assertThat(orders.mailed).containsExactly("lamp", "chair");
            assertThat(orders.audited).containsExactly("lamp", "chair");
            assertThat(orders.plain).containsExactly("lamp", "lamp", "chair");
            assertThat(BROKER.depth(mails)).isZero();
        });
    }

    @Test
    void handles_a_message_once_per_queue_that_was_sent_twice_when_it_is_marked_and_twice_when_not() {
        try (ConfigurableApplicationContext context = start()) {
            assertHandledOncePerQueue(context);
        }
    }

    @Test
    void handles_a_message_once_in_a_direct_container() {
        try (ConfigurableApplicationContext context = start("spring.rabbitmq.listener.type=direct")) {
            assertHandledOncePerQueue(context);
        }
    }

    @Test
    void rejects_a_poison_message_after_the_last_attempt() {
        try (ConfigurableApplicationContext context = start()) {
            publish(context, mails, "m1", "poison");
            await().atMost(Duration.ofMinutes(2)).until(() -> BROKER.depth(BROKER.deadLettersOf(mails)) == 1);
            assertThat(context.getBean(Orders.class).poisoned).hasSize(2);
        }
    }
}

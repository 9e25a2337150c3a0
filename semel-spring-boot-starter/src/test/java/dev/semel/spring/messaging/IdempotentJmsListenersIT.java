package dev.semel.spring.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.messaging.jms.JmsMessageIds;
import dev.semel.testsupport.servers.ArtemisBroker;
import jakarta.jms.ConnectionFactory;
import jakarta.jms.Message;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jms.annotation.JmsListener;
import org.springframework.jms.core.JmsTemplate;

@DisplayName("A JMS listener of a Spring Boot application")
@Timeout(300)
class IdempotentJmsListenersIT {

    private final String mails = ArtemisBroker.newQueue();
    private final String audits = ArtemisBroker.newQueue();
    private final String plain = ArtemisBroker.newQueue();

    /** Two idempotent listeners of different queues, and one that is not idempotent. */
    @EnableAutoConfiguration
    static class Orders {

        private final List<String> mailed = new CopyOnWriteArrayList<>();
        private final List<String> audited = new CopyOnWriteArrayList<>();
        private final List<String> plain = new CopyOnWriteArrayList<>();
        private final List<String> poisoned = new CopyOnWriteArrayList<>();

        @Bean
        static ConnectionFactory connections() {
            return ArtemisBroker.connectionFactory(ArtemisBroker.port());
        }

        @JmsListener(destination = "${mails}", containerFactory = IdempotentListeners.JMS)
        void mail(String order) {
            if (order.equals("poison")) {
                poisoned.add(order);
                throw new IllegalStateException("cannot be parsed");
            }
            mailed.add(order);
        }

        @JmsListener(destination = "${audits}", containerFactory = IdempotentListeners.JMS)
        void audit(String order) {
            audited.add(order);
        }

        @JmsListener(destination = "${plain}")
        void plain(String order) {
            plain.add(order);
        }
    }

    /** Two idempotent listeners of one topic. */
    @EnableAutoConfiguration
    static class Prices {

        private final List<String> shown = new CopyOnWriteArrayList<>();
        private final List<String> stored = new CopyOnWriteArrayList<>();

        @Bean
        static ConnectionFactory connections() {
            return ArtemisBroker.connectionFactory(ArtemisBroker.port());
        }

        @JmsListener(destination = "prices", containerFactory = IdempotentListeners.JMS)
        void show(String price) {
            shown.add(price);
        }

        @JmsListener(destination = "prices", containerFactory = IdempotentListeners.JMS)
        void store(String price) {
            stored.add(price);
        }
    }

    private ConfigurableApplicationContext start() {
        return BrokerApplication.start(
                Orders.class,
                "mails=" + mails,
                "audits=" + audits,
                "plain=" + plain,
                "semel.inbox.max-attempts=2",
                "semel.inbox.redelivery-pause=20ms",
                "semel.inbox.jms.dead-letter-queue={destination}.dead");
    }

    private static void send(ConfigurableApplicationContext context, String destination, String id, String text) {
        context.getBean(JmsTemplate.class).convertAndSend(destination, text, message -> {
            message.setStringProperty(JmsMessageIds.KEY_PROPERTY, id);
            return message;
        });
    }

    @Test
    void handles_a_message_once_per_queue_that_was_sent_twice_when_it_is_marked_and_twice_when_not() {
        try (ConfigurableApplicationContext context = start()) {
            for (String queue : List.of(mails, audits, plain)) {
                send(context, queue, "m1", "lamp");
                send(context, queue, "m1", "lamp");
                send(context, queue, "m2", "chair");
            }
            Orders orders = context.getBean(Orders.class);
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertThat(orders.mailed).containsExactly("lamp", "chair");
                assertThat(orders.audited).containsExactly("lamp", "chair");
                assertThat(orders.plain).containsExactly("lamp", "lamp", "chair");
                assertThat(ArtemisBroker.depth(mails)).isZero();
            });
        }
    }

    @Test
    void sends_a_poison_message_to_the_dead_letter_queue_after_the_last_attempt() throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            send(context, mails, "m1", "poison");

            JmsTemplate template = context.getBean(JmsTemplate.class);
            template.setReceiveTimeout(Duration.ofMinutes(2).toMillis());
            Message dead = Objects.requireNonNull(template.receive(mails + ".dead"));

            assertThat(dead.getBody(String.class)).isEqualTo("poison");
            assertThat(context.getBean(Orders.class).poisoned).hasSize(2);
        }
    }

    @Test
    void handles_a_message_of_a_topic_once_per_subscription() {
        try (ConfigurableApplicationContext context =
                BrokerApplication.start(Prices.class, "spring.jms.pub-sub-domain=true")) {
            Prices prices = context.getBean(Prices.class);
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                // Subscriptions begin some time after the start, and miss what was sent before.
                send(context, "prices", "m1", "1999");
                assertThat(prices.shown).isNotEmpty();
                assertThat(prices.stored).isNotEmpty();
            });
            send(context, "prices", "m1", "1999");
            send(context, "prices", "m2", "2999");
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertThat(prices.shown).containsExactly("1999", "2999");
                assertThat(prices.stored).containsExactly("1999", "2999");
            });
        }
    }
}

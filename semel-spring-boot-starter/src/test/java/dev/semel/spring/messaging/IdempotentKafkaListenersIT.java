package dev.semel.spring.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.messaging.kafka.KafkaServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.annotation.KafkaListener;

@DisplayName("A Kafka listener of a Spring Boot application")
@Timeout(300)
class IdempotentKafkaListenersIT {

    private String topic;

    /** Two idempotent listeners of different groups, and one that is not idempotent. */
    @EnableAutoConfiguration
    static class Orders {

        private final List<String> mailed = new CopyOnWriteArrayList<>();
        private final List<String> audited = new CopyOnWriteArrayList<>();
        private final List<String> plain = new CopyOnWriteArrayList<>();
        private final List<String> poisoned = new CopyOnWriteArrayList<>();

        @KafkaListener(topics = "${topic}", groupId = "mailer", containerFactory = IdempotentListeners.KAFKA)
        void mail(String order) {
            if (order.equals("poison")) {
                poisoned.add(order);
                throw new IllegalStateException("cannot be parsed");
            }
            mailed.add(order);
        }

        @KafkaListener(topics = "${topic}", groupId = "audit", containerFactory = IdempotentListeners.KAFKA)
        void audit(String order) {
            audited.add(order);
        }

        @KafkaListener(topics = "${topic}", groupId = "plain")
        void plain(String order) {
            plain.add(order);
        }
    }

    @BeforeEach
    void createTopics() throws Exception {
        topic = KafkaServer.newTopic(1);
        KafkaServer.create(topic + "-dlt", 1);
    }

    private ConfigurableApplicationContext start() {
        return BrokerApplication.start(
                Orders.class,
                "topic=" + topic,
                "semel.inbox.max-attempts=2",
                "spring.kafka.bootstrap-servers=" + KafkaServer.servers(),
                "spring.kafka.consumer.auto-offset-reset=earliest",
                "spring.kafka.producer.properties[max.in.flight.requests.per.connection]=1");
    }

    @Test
    void handles_a_message_once_per_group_that_was_sent_twice_when_it_is_marked_and_twice_when_not() throws Exception {
        KafkaServer.send(topic, 0, "m1", "lamp");
        KafkaServer.send(topic, 0, "m1", "lamp");
        KafkaServer.send(topic, 0, "m2", "chair");
        KafkaServer.flush();
        try (ConfigurableApplicationContext context = start()) {
            Orders orders = context.getBean(Orders.class);
            await().atMost(Duration.ofMinutes(2)).untilAsserted(() -> {
                assertThat(orders.mailed).containsExactly("lamp", "chair");
                assertThat(orders.audited).containsExactly("lamp", "chair");
                assertThat(orders.plain).containsExactly("lamp", "lamp", "chair");
            });
        }
    }

    @Test
    void publishes_a_poison_message_as_a_dead_letter_after_the_last_attempt() throws Exception {
        KafkaServer.send(topic, 0, "m1", "poison");
        KafkaServer.send(topic, 0, "m2", "chair");
        KafkaServer.flush();
        try (ConfigurableApplicationContext context = start()) {
            Orders orders = context.getBean(Orders.class);
            await().atMost(Duration.ofMinutes(2))
                    .untilAsserted(() -> assertThat(orders.mailed).containsExactly("chair"));
            assertThat(orders.poisoned).hasSize(2);
            assertThat(KafkaServer.read(topic + "-dlt"))
                    .singleElement()
                    .satisfies(
                            dead -> assertThat(KafkaServer.text(dead.value())).isEqualTo("poison"));
        }
    }
}

package dev.semel.messaging.kafka;

import dev.semel.Codec;
import dev.semel.Intent;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.kafka.spring.IdempotentKafkaListener;
import dev.semel.messaging.kafka.spring.IdempotentKafkaListeners;
import dev.semel.messaging.kafka.spring.KafkaInboxErrorHandlers;
import dev.semel.messaging.outbox.Outbox;
import dev.semel.messaging.outbox.OutboxMessage;
import dev.semel.messaging.outbox.OutboxRelay;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;

/** The Kafka snippets of docs/how-to/messages.md; {@code MessagingPageTest} of semel-messaging compares them. */
final class KafkaSnippets {

    private interface Mail {
        void send(Object text);
    }

    private interface Orders {
        void insert(Connection connection, Order order);
    }

    private record Order(String id, String customer) {
        byte[] json() {
            return ("\"" + id + "\"").getBytes(StandardCharsets.UTF_8);
        }
    }

    private final Mail mail = text -> {};

    void plain(SemelEngine semel) {
        KafkaInbox inbox = KafkaInbox.of(semel, Map.of("bootstrap.servers", "localhost:9092", "group.id", "mailer"))
                .topics("orders")
                .handler((message, attempt) -> mail.send(message.value()))
                .build();
        new Thread(inbox).start();
        // …
        inbox.close(); // ends after the batch at hand
    }

    @Bean
    static IdempotentKafkaListeners idempotentKafkaListeners(ObjectProvider<SemelEngine> semel) {
        return new IdempotentKafkaListeners(group -> Inbox.<ConsumerRecord<?, ?>>of(
                        semel.getObject(), group, KafkaMessageIds.fromHeader("idempotency-key"))
                .build());
    }

    @Bean
    DefaultErrorHandler errorHandler(KafkaTemplate<String, String> template) { // Spring Boot gives it to its containers
        return KafkaInboxErrorHandlers.publishing(template);
    }

    @KafkaListener(topics = "orders", groupId = "mailer")
    @IdempotentKafkaListener(group = "mailer")
    public void on(ConsumerRecord<String, String> message) {
        mail.send(message.value());
    }

    OutboxRelay outbox(SemelEngine semel, DataSource dataSource, Intent intent, Order order, Orders orders)
            throws SQLException {
        semel.executeInTransaction(dataSource, intent, Codec.text(), (connection, attempt) -> {
            orders.insert(connection, order);
            Outbox.add(
                    connection,
                    new OutboxMessage("orders", order.customer(), attempt.downstreamKey("order-placed"), order.json()));
            return order.id();
        });

        KafkaPublisher publisher = KafkaPublisher.to(Map.of("bootstrap.servers", "localhost:9092"));
        OutboxRelay relay = new OutboxRelay(dataSource, publisher).start(Duration.ofMillis(100));
        return relay;
    }
}

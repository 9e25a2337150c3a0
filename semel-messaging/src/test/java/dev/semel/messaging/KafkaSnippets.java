package dev.semel.messaging;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.kafka.KafkaInbox;
import dev.semel.messaging.kafka.KafkaLetters;
import dev.semel.messaging.kafka.spring.IdempotentListener;
import dev.semel.messaging.kafka.spring.IdempotentListeners;
import dev.semel.messaging.kafka.spring.InboxErrorHandlers;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.KafkaListener;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.kafka.listener.DefaultErrorHandler;

/** What docs/how-to/messages.md shows of Kafka; {@link MessagingPageTest} compares them. */
final class KafkaSnippets {

    private interface Mail {
        void send(Object text);
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
    static IdempotentListeners idempotentListeners(ObjectProvider<SemelEngine> semel) {
        return new IdempotentListeners(group -> Inbox.<ConsumerRecord<?, ?>>of(
                        semel.getObject(), group, KafkaLetters.fromHeader("idempotency-key"))
                .build());
    }

    @Bean
    DefaultErrorHandler errorHandler(KafkaTemplate<String, String> template) { // Spring Boot gives it to its containers
        return InboxErrorHandlers.publishing(template);
    }

    @KafkaListener(topics = "orders", groupId = "mailer")
    @IdempotentListener(group = "mailer")
    public void on(ConsumerRecord<String, String> message) {
        mail.send(message.value());
    }
}

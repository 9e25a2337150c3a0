package dev.semel.messaging.kafka;

import dev.semel.Operation;
import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.TransactionalHandler;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** Configures a member of a consumer group; topics and a handler are needed, everything else has a default. */
public final class KafkaInboxBuilder {

    private final SemelEngine semel;
    private final KafkaSettings settings;
    private final Set<String> topics = new LinkedHashSet<>();
    private KafkaLetters letters = KafkaLetters.fromHeader(KafkaLetters.DEFAULT_HEADER);
    private @Nullable Operation operation;
    private @Nullable Integer mostAttempts;
    private @Nullable RecordHandling handling;

    KafkaInboxBuilder(SemelEngine semel, Map<String, Object> properties) {
        this.semel = semel;
        this.settings = new KafkaSettings(properties);
    }

    public KafkaInboxBuilder topics(String... names) {
        topics.addAll(List.of(names));
        return this;
    }

    /** What tells records apart; by default the header {@code idempotency-key}. */
    public KafkaInboxBuilder letters(KafkaLetters newLetters) {
        this.letters = newLetters;
        return this;
    }

    /** As in {@link Inbox.Builder#operation}. */
    public KafkaInboxBuilder operation(Operation how) {
        this.operation = how;
        return this;
    }

    /** As in {@link Inbox.Builder#mostAttempts}. */
    public KafkaInboxBuilder mostAttempts(int attempts) {
        this.mostAttempts = attempts;
        return this;
    }

    /** What is to be done with each record; all of one poll are claimed and settled together. */
    public KafkaInboxBuilder handler(MessageHandler<? super ConsumerRecord<byte[], byte[]>> handler) {
        this.handling = RecordHandling.together(handler);
        return this;
    }

    /** What is to be done with each record, in a transaction that also records that it was done. */
    public KafkaInboxBuilder inTransaction(
            DataSource dataSource, TransactionalHandler<? super ConsumerRecord<byte[], byte[]>> handler) {
        this.handling = RecordHandling.inTransactions(dataSource, handler);
        return this;
    }

    /**
     * Connects; nothing is handled before it is run.
     *
     * @throws IllegalStateException when there is no topic or no handler
     */
    public KafkaInbox build() {
        RecordHandling chosen = handling;
        if (topics.isEmpty() || chosen == null) {
            throw new IllegalStateException("a consumer of Kafka needs topics, and a handler for their records");
        }
        Inbox.Builder<ConsumerRecord<byte[], byte[]>> inbox = Inbox.of(semel, settings.group(), letters);
        inbox.describedBy(record -> "message of topic " + record.topic() + ", partition " + record.partition()
                + ", offset " + record.offset());
        if (operation != null) {
            inbox.operation(operation);
        }
        if (mostAttempts != null) {
            inbox.mostAttempts(mostAttempts);
        }
        return new KafkaInbox(settings, topics, inbox.build(), chosen);
    }
}

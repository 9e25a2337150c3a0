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
    private KafkaMessageIds messageIds = KafkaMessageIds.fromHeader(KafkaMessageIds.DEFAULT_HEADER);
    private @Nullable Operation operation;
    private @Nullable Integer maxAttempts;
    private @Nullable RecordHandling handling;

    KafkaInboxBuilder(SemelEngine semel, Map<String, Object> properties) {
        this.semel = semel;
        this.settings = new KafkaSettings(properties);
    }

    public KafkaInboxBuilder topics(String... names) {
        topics.addAll(List.of(names));
        return this;
    }

    /** Where the id of a record is; in the header {@code idempotency-key} by default. */
    public KafkaInboxBuilder messageIds(KafkaMessageIds newIds) {
        this.messageIds = newIds;
        return this;
    }

    /** As in {@link Inbox.Builder#operation}. */
    public KafkaInboxBuilder operation(Operation policy) {
        this.operation = policy;
        return this;
    }

    /** As in {@link Inbox.Builder#maxAttempts}. */
    public KafkaInboxBuilder maxAttempts(int attempts) {
        this.maxAttempts = attempts;
        return this;
    }

    /** The code that handles each record; all records of one poll are claimed and settled together. */
    public KafkaInboxBuilder handler(MessageHandler<? super ConsumerRecord<byte[], byte[]>> handler) {
        this.handling = RecordHandling.together(handler);
        return this;
    }

    /** The code that handles each record, in a transaction that also records the message. */
    public KafkaInboxBuilder inTransaction(
            DataSource dataSource, TransactionalHandler<? super ConsumerRecord<byte[], byte[]>> handler) {
        this.handling = RecordHandling.inTransactions(dataSource, handler);
        return this;
    }

    /**
     * Builds the consumer; it handles nothing before it is run.
     *
     * @throws IllegalStateException when there is no topic or no handler
     */
    public KafkaInbox build() {
        RecordHandling chosen = handling;
        if (topics.isEmpty() || chosen == null) {
            throw new IllegalStateException(
                    "the consumer has no topic or no handler: call topics(...), and handler(...) or inTransaction(...)");
        }
        Inbox.Builder<ConsumerRecord<byte[], byte[]>> inbox = Inbox.of(semel, settings.group(), messageIds);
        inbox.describedBy(record -> "message of topic " + record.topic() + ", partition " + record.partition()
                + ", offset " + record.offset());
        if (operation != null) {
            inbox.operation(operation);
        }
        if (maxAttempts != null) {
            inbox.maxAttempts(maxAttempts);
        }
        return new KafkaInbox(settings, topics, inbox.build(), chosen);
    }
}

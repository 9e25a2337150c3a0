package dev.semel.messaging.kafka;

import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.MessageHandler;
import dev.semel.messaging.TransactionalHandler;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** Handles the records of one poll, those of a partition in their order. */
@FunctionalInterface
interface RecordHandling {

    List<Delivery> handle(Inbox<ConsumerRecord<byte[], byte[]>> inbox, List<ConsumerRecord<byte[], byte[]>> batch);

    /** Claims all records in one round trip to the store, and settles them in one. */
    static RecordHandling together(MessageHandler<? super ConsumerRecord<byte[], byte[]>> handler) {
        return (inbox, batch) -> inbox.handleAll(batch, PartitionProgress::partitionOf, handler);
    }

    /** Handles each record in a transaction of its own. */
    static RecordHandling inTransactions(
            DataSource dataSource, TransactionalHandler<? super ConsumerRecord<byte[], byte[]>> handler) {
        return (inbox, batch) -> {
            Set<TopicPartition> blocked = new HashSet<>();
            List<Delivery> deliveries = new ArrayList<>();
            for (ConsumerRecord<byte[], byte[]> message : batch) {
                TopicPartition partition = PartitionProgress.partitionOf(message);
                Delivery delivery =
                        blocked.contains(partition) || Thread.currentThread().isInterrupted()
                                ? new Delivery.Redeliver("behind_another")
                                : inbox.handleInTransaction(message, dataSource, handler);
                if (delivery instanceof Delivery.Redeliver) {
                    blocked.add(partition);
                }
                deliveries.add(delivery);
            }
            return deliveries;
        };
    }
}

package dev.semel.messaging.kafka;

import dev.semel.engine.SemelEngine;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;

/**
 * A member of a consumer group that handles each record of its topics once.
 *
 * <ol>
 *   <li>It polls, and the inbox handles all records of the poll, those of a partition in their order.
 *   <li>Records that cannot be handled are sent to {@code TOPIC.DLT}; the offset passes them after the broker's confirmation.
 *   <li>Each partition's offset is committed up to the first record that must be redelivered. The consumer seeks back to that
 *       record and pauses the partition, longer each time; the other partitions continue.
 *   <li>All records are settled before the next poll, so partitions are reassigned only between batches. For a revoked
 *       partition nothing is committed: its new consumer finds the records of handled messages in the store.
 * </ol>
 *
 * <pre>{@code
 * KafkaInbox inbox = KafkaInbox.of(semel, Map.of("bootstrap.servers", "localhost:9092", "group.id", "mailer"))
 *         .topics("orders")
 *         .handler((message, attempt) -> mail.send(message.value()))
 *         .build();
 * new Thread(inbox).start();
 * }</pre>
 */
public final class KafkaInbox implements Runnable, AutoCloseable {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging");

    /** Offsets that could not be committed are tried again after at most this time, also when there are no records. */
    private static final Duration MAX_POLL = Duration.ofSeconds(1);

    /** Kafka's default {@code max.poll.interval.ms}: a batch that takes longer has lost its partitions. */
    private static final Duration CLOSE_TIMEOUT = Duration.ofMinutes(5);

    private final Consumer<byte[], byte[]> consumer;
    private final Producer<byte[], byte[]> producer;
    private final Inbox<ConsumerRecord<byte[], byte[]>> inbox;
    private final RecordHandling handling;
    private final DeadLetterTopic deadLetters;
    private final PartitionBackoff backoff = new PartitionBackoff();
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean started = new AtomicBoolean();
    private volatile boolean closing;

    KafkaInbox(
            KafkaSettings settings,
            Set<String> topics,
            Inbox<ConsumerRecord<byte[], byte[]>> inbox,
            RecordHandling handling) {
        this.inbox = inbox;
        this.handling = handling;
        this.producer = settings.producer();
        this.deadLetters = new DeadLetterTopic(producer, settings.group());
        this.consumer = settings.consumer();
        this.consumer.subscribe(topics, new Rebalance());
    }

    /**
     * Starts to configure a member of a consumer group.
     *
     * @param properties of Kafka's consumer: at least {@code bootstrap.servers} and {@code group.id}, which also names the
     *     inbox. Settings that a producer has too, such as those of connections, are used for the dead letters' producer.
     *     Without {@code auto.offset.reset}, a new group begins with the earliest record, so that it misses none
     */
    public static KafkaInboxBuilder of(SemelEngine semel, Map<String, Object> properties) {
        return new KafkaInboxBuilder(semel, properties);
    }

    /**
     * Handles records until {@link #close}, or until the thread is interrupted.
     *
     * @throws KafkaException when Kafka refuses the consumer, such as for a missing permission
     */
    @Override
    public void run() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("a KafkaInbox runs once, and not after close(): build another one");
        }
        try {
            while (!closing) {
                pollOnce();
            }
        } catch (WakeupException | InterruptException e) {
            LOG.log(System.Logger.Level.DEBUG, "the consumer ends: it was closed or interrupted", e);
        } finally {
            boolean interrupted = Thread.interrupted();
            try {
                closeClients();
            } finally {
                ended.countDown();
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private void closeClients() {
        try {
            consumer.close();
        } finally {
            producer.close();
        }
    }

    private void pollOnce() {
        consumer.resume(backoff.resumable());
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(backoff.untilNext(MAX_POLL));
        List<ConsumerRecord<byte[], byte[]>> batch = batchOf(polled);
        if (!batch.isEmpty()) {
            List<Delivery> deliveries = handling.handle(inbox, batch);
            PartitionProgress.of(batch, deliveries, deadLetters)
                    .forEach((partition, progress) -> advance(partition, progress, polled));
        }
        commit();
    }

    /** Of a held partition, only the record that it is held at: the records behind it would be claimed in vain. */
    private List<ConsumerRecord<byte[], byte[]>> batchOf(ConsumerRecords<byte[], byte[]> polled) {
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> messages = polled.records(partition);
            batch.addAll(backoff.isHeld(partition) ? messages.subList(0, 1) : messages);
        }
        return batch;
    }

    private void advance(TopicPartition partition, PartitionProgress progress, ConsumerRecords<byte[], byte[]> polled) {
        if (progress.next() > progress.first()) {
            uncommitted.put(partition, new OffsetAndMetadata(progress.next()));
            backoff.release(Set.of(partition));
        }
        List<ConsumerRecord<byte[], byte[]>> messages = polled.records(partition);
        if (progress.next() <= messages.get(messages.size() - 1).offset()) {
            consumer.seek(partition, progress.next());
        }
        if (progress.held()) {
            backoff.hold(partition, progress.next());
            consumer.pause(Set.of(partition));
        }
    }

    private void commit() {
        if (uncommitted.isEmpty()) {
            return;
        }
        try {
            commitNow();
            uncommitted.clear();
        } catch (AuthorizationException | InterruptException e) {
            throw e;
        } catch (KafkaException e) {
            // A rebalance, or the broker is unavailable: the partitions that stay assigned are committed later.
            LOG.log(
                    System.Logger.Level.INFO,
                    "offsets could not be committed, and are committed later: " + e.getMessage());
        }
    }

    private void commitNow() {
        try {
            consumer.commitSync(uncommitted);
        } catch (WakeupException closing) {
            // One more try before the end: uncommitted records would all be redelivered.
            consumer.commitSync(uncommitted);
        }
    }

    /** Ends the consumer after its current batch, and waits for that. */
    @Override
    public void close() {
        closing = true;
        if (started.compareAndSet(false, true)) {
            closeClients();
            ended.countDown();
            return;
        }
        consumer.wakeup();
        try {
            if (!ended.await(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "the consumer was closed, but its batch has not ended after " + CLOSE_TIMEOUT
                                + ": a handler hangs");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kafka calls it within a poll, when the batch before is settled. */
    private final class Rebalance implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // Kafka starts them at the committed offset, and none of them is paused.
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            backoff.release(partitions);
            partitions.forEach(uncommitted::remove);
        }
    }
}

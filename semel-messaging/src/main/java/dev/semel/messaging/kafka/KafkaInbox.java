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
 *   <li>It polls, and has the inbox handle all that came, those of a partition in their order.
 *   <li>What cannot be handled is sent to {@code TOPIC.DLT}; the offset passes it once the broker has confirmed that.
 *   <li>Each partition's offset is committed up to the first record that has to come again. That partition is set back to this
 *       record and rests, longer each time; the others go on.
 *   <li>Everything that came is settled before the next poll, so that a partition is given away only between batches. For
 *       one that was taken away nothing is committed: who has it now finds on record what was handled here.
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

    /** Offsets that could not be committed are tried again after at most so long, also when no records come. */
    private static final Duration LONGEST_POLL = Duration.ofSeconds(1);

    /** A batch that takes longer than Kafka's usual {@code max.poll.interval.ms} is not waited for. */
    private static final Duration LONGEST_BATCH = Duration.ofMinutes(5);

    private final Consumer<byte[], byte[]> consumer;
    private final Producer<byte[], byte[]> producer;
    private final Inbox<ConsumerRecord<byte[], byte[]>> inbox;
    private final RecordHandling handling;
    private final DeadLetterTopic deadLetters;
    private final Holds holds = new Holds();
    private final Map<TopicPartition, OffsetAndMetadata> uncommitted = new HashMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private final AtomicBoolean begun = new AtomicBoolean();
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
     *     inbox. What concerns connections is used for the dead letters' producer, too. Without {@code auto.offset.reset}, a
     *     new group begins with the earliest record, so that it misses none
     */
    public static KafkaInboxBuilder of(SemelEngine semel, Map<String, Object> properties) {
        return new KafkaInboxBuilder(semel, properties);
    }

    /**
     * Handles records until {@link #close}, or until the thread is interrupted.
     *
     * @throws KafkaException when Kafka refuses to go on, such as for want of a permission
     */
    @Override
    public void run() {
        if (!begun.compareAndSet(false, true)) {
            throw new IllegalStateException("it is run once, and not after it was closed");
        }
        try {
            while (!closing) {
                turn();
            }
        } catch (WakeupException | InterruptException e) {
            LOG.log(System.Logger.Level.DEBUG, "told to end", e);
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

    private void turn() {
        consumer.resume(holds.rested());
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(holds.untilNext(LONGEST_POLL));
        List<ConsumerRecord<byte[], byte[]>> batch = batchOf(polled);
        if (!batch.isEmpty()) {
            List<Delivery> deliveries = handling.handle(inbox, batch);
            Advance.of(batch, deliveries, deadLetters)
                    .forEach((partition, advance) -> advance(partition, advance, polled));
        }
        commit();
    }

    /** Of a partition that is held only the record that it is held for: those behind it would be claimed in vain. */
    private List<ConsumerRecord<byte[], byte[]>> batchOf(ConsumerRecords<byte[], byte[]> polled) {
        List<ConsumerRecord<byte[], byte[]>> batch = new ArrayList<>();
        for (TopicPartition partition : polled.partitions()) {
            List<ConsumerRecord<byte[], byte[]>> messages = polled.records(partition);
            batch.addAll(holds.isHeld(partition) ? messages.subList(0, 1) : messages);
        }
        return batch;
    }

    private void advance(TopicPartition partition, Advance advance, ConsumerRecords<byte[], byte[]> polled) {
        if (advance.next() > advance.first()) {
            uncommitted.put(partition, new OffsetAndMetadata(advance.next()));
            holds.forget(Set.of(partition));
        }
        List<ConsumerRecord<byte[], byte[]>> messages = polled.records(partition);
        if (advance.next() <= messages.get(messages.size() - 1).offset()) {
            consumer.seek(partition, advance.next());
        }
        if (advance.held()) {
            holds.hold(partition, advance.next());
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
            // The group is being shared out anew, or the broker is away: what stays ours is committed later.
            LOG.log(System.Logger.Level.INFO, "offsets could not be committed: " + e.getMessage());
        }
    }

    private void commitNow() {
        try {
            consumer.commitSync(uncommitted);
        } catch (WakeupException told) {
            // Once more, and then it ends: what is not committed would all come again.
            consumer.commitSync(uncommitted);
        }
    }

    /** Ends it after the batch at hand, and waits for that. */
    @Override
    public void close() {
        closing = true;
        if (begun.compareAndSet(false, true)) {
            closeClients();
            ended.countDown();
            return;
        }
        consumer.wakeup();
        try {
            if (!ended.await(LONGEST_BATCH.toSeconds(), TimeUnit.SECONDS)) {
                LOG.log(System.Logger.Level.WARNING, "a batch of records does not end and is not waited for");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Kafka tells it within a poll, when everything of the batch before is settled. */
    private final class Rebalance implements ConsumerRebalanceListener {

        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            // They come from where their last owner has committed, and none of them is paused.
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            holds.forget(partitions);
            partitions.forEach(uncommitted::remove);
        }
    }
}

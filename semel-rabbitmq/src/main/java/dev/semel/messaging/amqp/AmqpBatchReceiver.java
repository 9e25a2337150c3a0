package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.DeliverCallback;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.RedeliveryPause;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A consumer of an AMQP queue that handles messages in batches: the messages that arrive while a batch is handled are the next
 * batch. A single message does not wait for others, and a full queue costs two round trips to the store per batch.
 *
 * <pre>{@code
 * channel.basicQos(200);
 * DeliverCallback consumer = AmqpBatchReceiver.on(channel, executor, batch -> inbox.handleAll(batch, each -> each, mailer));
 * channel.basicConsume("orders", false, consumer, tag -> {});
 * }</pre>
 *
 * <p>It needs manual acknowledgement ({@code autoAck} false), and a prefetch ({@code basicQos}), which limits the messages that
 * wait here and the size of a batch.
 */
public final class AmqpBatchReceiver implements DeliverCallback {

    /** Small enough for one statement of the store; a killed consumer leaves at most this many unknown outcomes. */
    private static final int MAX_BATCH = 500;

    private final Channel channel;
    private final Executor executor;
    private final Function<? super List<com.rabbitmq.client.Delivery>, List<Delivery>> inbox;
    private final ChannelAcknowledger acknowledger;
    private final Queue<com.rabbitmq.client.Delivery> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean handling = new AtomicBoolean();

    private AmqpBatchReceiver(
            Channel channel,
            Executor executor,
            Function<? super List<com.rabbitmq.client.Delivery>, List<Delivery>> inbox,
            RedeliveryPause redeliveryPause) {
        this.channel = channel;
        this.executor = executor;
        this.inbox = inbox;
        this.acknowledger = new ChannelAcknowledger(channel, redeliveryPause);
    }

    /**
     * A consumer of messages of this channel.
     *
     * @param executor runs the batches, one at a time
     * @param inbox handles a batch, such as {@code batch -> inbox.handleAll(batch, each -> each, handler)}
     */
    public static AmqpBatchReceiver on(
            Channel channel,
            Executor executor,
            Function<? super List<com.rabbitmq.client.Delivery>, List<Delivery>> inbox) {
        return new AmqpBatchReceiver(channel, executor, inbox, RedeliveryPause.DEFAULT);
    }

    /** The pause before a message is returned for redelivery; one second by default. */
    public AmqpBatchReceiver pause(RedeliveryPause redeliveryPause) {
        return new AmqpBatchReceiver(channel, executor, inbox, redeliveryPause);
    }

    @Override
    public void handle(String consumerTag, com.rabbitmq.client.Delivery message) {
        waiting.add(message);
        startBatch();
    }

    private void startBatch() {
        if (!tryStart()) {
            return;
        }
        try {
            executor.execute(this::handleWaiting);
        } catch (RejectedExecutionException e) {
            // The client closes the channel for that, and the broker redelivers the waiting messages.
            handling.set(false);
            throw e;
        }
    }

    private boolean tryStart() {
        return !waiting.isEmpty() && handling.compareAndSet(false, true);
    }

    private void handleWaiting() {
        do {
            try {
                for (var batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
                    acknowledger.handle(batch, inbox);
                }
            } finally {
                handling.set(false);
            }
            // A message that arrived between the last poll and the reset of the flag has not started a batch.
        } while (tryStart());
    }

    private List<com.rabbitmq.client.Delivery> nextBatch() {
        List<com.rabbitmq.client.Delivery> batch = new ArrayList<>();
        while (batch.size() < MAX_BATCH) {
            com.rabbitmq.client.Delivery message = waiting.poll();
            if (message == null) {
                break;
            }
            batch.add(message);
        }
        return batch;
    }
}

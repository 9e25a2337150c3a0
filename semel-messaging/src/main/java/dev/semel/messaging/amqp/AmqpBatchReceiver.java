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
 * A consumer of an AMQP queue that handles messages in batches: those that come in while one batch is handled are the next.
 * So a lone message waits for no other, and a full queue costs two round trips to the store for a whole batch.
 *
 * <pre>{@code
 * channel.basicQos(200);
 * DeliverCallback consumer = AmqpBatchReceiver.on(channel, executor, batch -> inbox.handleAll(batch, each -> each, mailer));
 * channel.basicConsume("orders", false, consumer, tag -> {});
 * }</pre>
 *
 * <p>It needs manual acknowledgement ({@code autoAck} false), and a prefetch ({@code basicQos}), which bounds what waits here
 * as well as the size of a batch.
 */
public final class AmqpBatchReceiver implements DeliverCallback {

    /** A store takes that many in one statement with ease, and a killed consumer leaves no more in doubt. */
    private static final int MOST_AT_ONCE = 500;

    private final Channel channel;
    private final Executor executor;
    private final Function<? super List<com.rabbitmq.client.Delivery>, List<Delivery>> inbox;
    private final Answers answers;
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
        this.answers = new Answers(channel, redeliveryPause);
    }

    /**
     * A consumer on the channel that its messages come through.
     *
     * @param executor where batches are handled, one at a time
     * @param inbox handles a batch, such as {@code batch -> inbox.handleAll(batch, each -> each, handler)}
     */
    public static AmqpBatchReceiver on(
            Channel channel,
            Executor executor,
            Function<? super List<com.rabbitmq.client.Delivery>, List<Delivery>> inbox) {
        return new AmqpBatchReceiver(channel, executor, inbox, RedeliveryPause.DEFAULT);
    }

    /** How long a message that has to come again is kept back; a second by default. */
    public AmqpBatchReceiver pause(RedeliveryPause redeliveryPause) {
        return new AmqpBatchReceiver(channel, executor, inbox, redeliveryPause);
    }

    @Override
    public void handle(String consumerTag, com.rabbitmq.client.Delivery message) {
        waiting.add(message);
        begin();
    }

    private void begin() {
        if (!isMyTurn()) {
            return;
        }
        try {
            executor.execute(this::handleWaiting);
        } catch (RejectedExecutionException e) {
            // The client closes the channel for that, and what waits here is delivered to others.
            handling.set(false);
            throw e;
        }
    }

    private boolean isMyTurn() {
        return !waiting.isEmpty() && handling.compareAndSet(false, true);
    }

    private void handleWaiting() {
        do {
            try {
                for (var batch = nextBatch(); !batch.isEmpty(); batch = nextBatch()) {
                    answers.handle(batch, inbox);
                }
            } finally {
                handling.set(false);
            }
            // One that came after the last look and before that line has found somebody at work.
        } while (isMyTurn());
    }

    private List<com.rabbitmq.client.Delivery> nextBatch() {
        List<com.rabbitmq.client.Delivery> batch = new ArrayList<>();
        while (batch.size() < MOST_AT_ONCE) {
            com.rabbitmq.client.Delivery message = waiting.poll();
            if (message == null) {
                break;
            }
            batch.add(message);
        }
        return batch;
    }
}

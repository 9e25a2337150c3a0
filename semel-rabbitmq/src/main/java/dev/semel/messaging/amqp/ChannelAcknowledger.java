package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.RedeliveryPause;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Acknowledges, rejects or returns the messages of one channel, each once, after it was handled.
 *
 * <ol>
 *   <li>Handled messages are acknowledged; a whole batch by one acknowledgement, if that covers no other message.
 *   <li>Messages for redelivery are returned after a pause. Until then they count as prefetched, so even a queue full of them
 *       does not keep its consumer busy.
 *   <li>Dead letters are rejected: the broker moves them to the queue's dead-letter exchange.
 * </ol>
 *
 * <p>After the channel was closed, the broker redelivers all messages that have no answer.
 */
final class ChannelAcknowledger {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging.amqp");

    /** A channel without redeliveries needs no thread. */
    private static final long IDLE_SECONDS = 30;

    private final Channel channel;
    private final long pauseMillis;
    private final ScheduledThreadPoolExecutor timer = timer();
    private final Set<Long> delayed = ConcurrentHashMap.newKeySet();
    private long received;

    ChannelAcknowledger(Channel channel, RedeliveryPause pause) {
        this.channel = channel;
        this.pauseMillis = pause.duration().toMillis();
    }

    private static ScheduledThreadPoolExecutor timer() {
        ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "semel-rabbitmq-redelivery");
            thread.setDaemon(true);
            return thread;
        });
        timer.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        return timer;
    }

    /** Handles messages in the order of their tags, and answers them. Must not be called by two threads at once. */
    void handle(
            List<com.rabbitmq.client.Delivery> messages,
            Function<? super List<com.rabbitmq.client.Delivery>, List<Delivery>> inbox) {
        List<Delivery> deliveries;
        try {
            deliveries = inbox.apply(messages);
        } catch (RuntimeException | Error fault) {
            // Rethrown, it would make the client close the channel, and every later channel that receives the message.
            LOG.log(
                    System.Logger.Level.ERROR,
                    messages.size() + " messages were not handled: the inbox failed; the broker redelivers them",
                    fault);
            deliveries = Collections.nCopies(messages.size(), new Delivery.Redeliver("inbox_failed"));
        }
        received += messages.size();
        long last = tagOf(messages.get(messages.size() - 1));
        if (messages.size() > 1
                && allBefore(last)
                && deliveries.stream().allMatch(delivery -> delivery instanceof Delivery.Acknowledge)) {
            send(() -> channel.basicAck(last, true));
            return;
        }
        for (int i = 0; i < messages.size(); i++) {
            answer(tagOf(messages.get(i)), deliveries.get(i));
        }
    }

    /**
     * Whether every message of the channel up to this one was received here and is answered. Tags count from 1, so the number of
     * received messages equals the tag then. Otherwise one acknowledgement for all would include messages that another consumer
     * of the channel has not handled yet.
     */
    private boolean allBefore(long tag) {
        return received == tag && delayed.isEmpty();
    }

    private void answer(long tag, Delivery delivery) {
        if (delivery instanceof Delivery.Acknowledge) {
            send(() -> channel.basicAck(tag, false));
        } else if (delivery instanceof Delivery.DeadLetter dead) {
            LOG.log(System.Logger.Level.WARNING, "a message was rejected as a dead letter: {0}", dead.reason());
            send(() -> channel.basicReject(tag, false));
        } else {
            delayed.add(tag);
            ScheduledFuture<?> unused = timer.schedule(
                    () -> {
                        send(() -> channel.basicNack(tag, false, true));
                        delayed.remove(tag);
                    },
                    pauseMillis,
                    TimeUnit.MILLISECONDS);
        }
    }

    private static long tagOf(com.rabbitmq.client.Delivery message) {
        return message.getEnvelope().getDeliveryTag();
    }

    private interface Answer {
        void send() throws IOException;
    }

    private static void send(Answer answer) {
        try {
            answer.send();
        } catch (IOException | ShutdownSignalException e) {
            LOG.log(System.Logger.Level.DEBUG, "the channel is closed: the broker redelivers the message", e);
        }
    }
}

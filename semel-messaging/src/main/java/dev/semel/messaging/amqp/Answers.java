package dev.semel.messaging.amqp;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ShutdownSignalException;
import dev.semel.messaging.Delivery;
import dev.semel.messaging.RedeliveryPause;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * What a consumer answers its broker about the messages of one channel: each is answered once, after it was handled.
 *
 * <ol>
 *   <li>Acknowledged ones are forgotten by the broker; a whole batch by one answer, where that answers no other message.
 *   <li>Those that have to come again are kept back for a while without an answer. Meanwhile they count as prefetched, so
 *       that not even a queue full of them keeps its consumer busy.
 *   <li>Dead letters are rejected: they go to the queue's dead-letter exchange.
 * </ol>
 *
 * <p>What cannot be answered, since the channel was closed, the broker delivers again of its own accord.
 */
final class Answers {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging.amqp");

    private final Channel channel;
    private final Executor later;
    private final Set<Long> keptBack = ConcurrentHashMap.newKeySet();
    private long seen;

    Answers(Channel channel, RedeliveryPause pause) {
        this.channel = channel;
        this.later = CompletableFuture.delayedExecutor(pause.duration().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Handles messages, in the order of their tags, and answers them. Not to be called by two threads at once. */
    void handle(
            List<com.rabbitmq.client.Delivery> messages,
            Function<? super List<com.rabbitmq.client.Delivery>, List<Delivery>> inbox) {
        List<Delivery> fates;
        try {
            fates = inbox.apply(messages);
        } catch (RuntimeException | Error fault) {
            // Otherwise the client would close the channel, and the next one, for as long as such a message comes.
            LOG.log(System.Logger.Level.ERROR, "messages were not handled", fault);
            fates = Collections.nCopies(messages.size(), new Delivery.Redeliver("inbox_failed"));
        }
        seen += messages.size();
        long last = tagOf(messages.get(messages.size() - 1));
        if (messages.size() > 1
                && allBefore(last)
                && fates.stream().allMatch(fate -> fate instanceof Delivery.Acknowledge)) {
            send(() -> channel.basicAck(last, true));
            return;
        }
        for (int i = 0; i < messages.size(); i++) {
            answer(tagOf(messages.get(i)), fates.get(i));
        }
    }

    /**
     * Whether every message of the channel up to this one came here and is answered: tags count from 1, so as many must have
     * come. Otherwise one answer for all would also acknowledge what somebody else has yet to handle.
     */
    private boolean allBefore(long tag) {
        return seen == tag && keptBack.isEmpty();
    }

    private void answer(long tag, Delivery fate) {
        if (fate instanceof Delivery.Acknowledge) {
            send(() -> channel.basicAck(tag, false));
        } else if (fate instanceof Delivery.DeadLetter dead) {
            LOG.log(System.Logger.Level.WARNING, "a message is a dead letter: {0}", dead.reason());
            send(() -> channel.basicReject(tag, false));
        } else {
            keptBack.add(tag);
            later.execute(() -> {
                send(() -> channel.basicNack(tag, false, true));
                keptBack.remove(tag);
            });
        }
    }

    private static long tagOf(com.rabbitmq.client.Delivery message) {
        return message.getEnvelope().getDeliveryTag();
    }

    private interface Sending {
        void send() throws IOException;
    }

    private static void send(Sending answer) {
        try {
            answer.send();
        } catch (IOException | ShutdownSignalException e) {
            LOG.log(System.Logger.Level.DEBUG, "a message will be delivered again, its channel is closed", e);
        }
    }
}

package dev.semel.messaging.jms.spring;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.messaging.jms.DeadLetters;
import jakarta.jms.Destination;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.config.JmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpoint;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.SessionAwareMessageListener;

/**
 * A container factory around another one that makes {@code @JmsListener} methods handle each message once.
 *
 * <ol>
 *   <li>A duplicate is committed without calling the listener.
 *   <li>A message that must be redelivered is rolled back, after a pause on the consumer's thread.
 *   <li>A dead letter is sent to its destination with the reason, in the transaction that removes it from its queue. Without a
 *       destination it is rolled back until the broker's own limit of deliveries is reached.
 * </ol>
 *
 * <pre>{@code
 * factory.setSessionTransacted(true);
 * return new JmsInboxContainerFactory<>(factory, Inbox.of(semel, "mailer", JmsMessageIds::of).build()).deadLettersTo(dead);
 * }</pre>
 */
public final class JmsInboxContainerFactory<C extends AbstractMessageListenerContainer>
        implements JmsListenerContainerFactory<C> {

    private final JmsListenerContainerFactory<C> factory;
    private final Function<String, Inbox<Message>> inboxes;
    private final Function<String, @Nullable DeadLetters> deadLetters;
    private final RedeliveryPause pause;

    /** A factory with one inbox for all of its listeners. */
    public JmsInboxContainerFactory(JmsListenerContainerFactory<C> factory, Inbox<Message> inbox) {
        this(factory, group -> inbox, destination -> null, RedeliveryPause.DEFAULT);
    }

    private JmsInboxContainerFactory(
            JmsListenerContainerFactory<C> factory,
            Function<String, Inbox<Message>> inboxes,
            Function<String, @Nullable DeadLetters> deadLetters,
            RedeliveryPause pause) {
        this.factory = factory;
        this.inboxes = inboxes;
        this.deadLetters = deadLetters;
        this.pause = pause;
    }

    /**
     * A factory with one inbox for each queue, and for each subscription of a topic: every listener handles each message of its
     * queue or subscription once.
     *
     * @param inboxes creates the inbox of a group: {@code QUEUE}, or {@code TOPIC:SUBSCRIPTION}
     */
    public static <C extends AbstractMessageListenerContainer> JmsInboxContainerFactory<C> perDestination(
            JmsListenerContainerFactory<C> factory, Function<String, Inbox<Message>> inboxes) {
        Map<String, Inbox<Message>> byGroup = new ConcurrentHashMap<>();
        return new JmsInboxContainerFactory<>(
                factory,
                group -> byGroup.computeIfAbsent(group, inboxes),
                destination -> null,
                RedeliveryPause.DEFAULT);
    }

    /** The destination of dead letters; by default the broker's own limit of deliveries applies. */
    public JmsInboxContainerFactory<C> deadLettersTo(Destination destination) {
        DeadLetters shared = new DeadLetters(destination);
        return new JmsInboxContainerFactory<>(factory, inboxes, name -> shared, pause);
    }

    /** The queue of dead letters by the name of the listener's own destination. */
    public JmsInboxContainerFactory<C> deadLettersToQueue(UnaryOperator<String> queues) {
        return new JmsInboxContainerFactory<>(
                factory, inboxes, destination -> DeadLetters.toQueue(queues.apply(destination)), pause);
    }

    /** The pause before a rollback; one second by default. Use none for a broker with a redelivery delay of its own. */
    public JmsInboxContainerFactory<C> pause(RedeliveryPause redeliveryPause) {
        return new JmsInboxContainerFactory<>(factory, inboxes, deadLetters, redeliveryPause);
    }

    /** @throws IllegalStateException when the container's sessions are not transacted */
    @Override
    public C createListenerContainer(JmsListenerEndpoint endpoint) {
        C container = factory.createListenerContainer(endpoint);
        if (!container.isSessionTransacted()) {
            throw new IllegalStateException(
                    "the listener's sessions are not transacted: call setSessionTransacted(true) on its factory");
        }
        String destination = destinationOf(container);
        container.setMessageListener(new JmsInboxListener(
                sessionAware(container.getMessageListener()),
                inboxes.apply(groupOf(container, destination)),
                deadLetters.apply(destination),
                pause));
        return container;
    }

    private static String destinationOf(AbstractMessageListenerContainer container) {
        String name = container.getDestinationName();
        if (name == null) {
            throw new IllegalStateException("the listener's destination has no name: set it by its name");
        }
        return name;
    }

    private static String groupOf(AbstractMessageListenerContainer container, String destination) {
        return container.isPubSubDomain() ? destination + ":" + container.getSubscriptionName() : destination;
    }

    @SuppressWarnings("unchecked") // A container's listener takes any message.
    private static SessionAwareMessageListener<Message> sessionAware(@Nullable Object listener) {
        if (listener instanceof SessionAwareMessageListener<?> aware) {
            return (SessionAwareMessageListener<Message>) aware;
        }
        if (listener instanceof MessageListener plain) {
            return (message, session) -> plain.onMessage(message);
        }
        throw new IllegalStateException(
                "the container's listener is neither a MessageListener nor a SessionAwareMessageListener: " + listener);
    }
}

package dev.semel.messaging.jms.spring;

import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.messaging.jms.DeadLetters;
import jakarta.jms.Destination;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.config.JmsListenerContainerFactory;
import org.springframework.jms.config.JmsListenerEndpoint;
import org.springframework.jms.listener.AbstractMessageListenerContainer;
import org.springframework.jms.listener.SessionAwareMessageListener;

/**
 * A factory of containers around another one, for {@code @JmsListener} methods that handle each message once.
 *
 * <ol>
 *   <li>A duplicate does not reach the listener, and is committed.
 *   <li>A message that has to come again is rolled back, after a pause on the consumer's thread.
 *   <li>A dead letter is sent to its destination with the reason, in the transaction that takes it off its queue. Without a
 *       destination it is rolled back until the broker's own limit of deliveries puts it away.
 * </ol>
 *
 * <pre>{@code
 * factory.setSessionTransacted(true);
 * return new InboxContainerFactory<>(factory, Inbox.of(semel, "mailer", JmsLetters::of).build()).deadLettersTo(dead);
 * }</pre>
 */
public final class InboxContainerFactory<C extends AbstractMessageListenerContainer>
        implements JmsListenerContainerFactory<C> {

    private final JmsListenerContainerFactory<C> factory;
    private final Inbox<Message> inbox;
    private final @Nullable DeadLetters deadLetters;
    private final RedeliveryPause pause;

    public InboxContainerFactory(JmsListenerContainerFactory<C> factory, Inbox<Message> inbox) {
        this(factory, inbox, null, RedeliveryPause.DEFAULT);
    }

    private InboxContainerFactory(
            JmsListenerContainerFactory<C> factory,
            Inbox<Message> inbox,
            @Nullable DeadLetters deadLetters,
            RedeliveryPause pause) {
        this.factory = factory;
        this.inbox = inbox;
        this.deadLetters = deadLetters;
        this.pause = pause;
    }

    /** Where dead letters go; by default they are left to the broker. */
    public InboxContainerFactory<C> deadLettersTo(Destination destination) {
        return new InboxContainerFactory<>(factory, inbox, new DeadLetters(destination), pause);
    }

    /** How long a message that has to come again is kept back; a second by default, none for a broker that waits itself. */
    public InboxContainerFactory<C> pause(RedeliveryPause redeliveryPause) {
        return new InboxContainerFactory<>(factory, inbox, deadLetters, redeliveryPause);
    }

    /** @throws IllegalStateException when the container's sessions are not transacted */
    @Override
    public C createListenerContainer(JmsListenerEndpoint endpoint) {
        C container = factory.createListenerContainer(endpoint);
        if (!container.isSessionTransacted()) {
            throw new IllegalStateException(
                    "the listener's sessions are not transacted: call setSessionTransacted(true) on its factory");
        }
        container.setMessageListener(
                new InboxListener(sessionAware(container.getMessageListener()), inbox, deadLetters, pause));
        return container;
    }

    @SuppressWarnings("unchecked") // A container's listener takes any message.
    private static SessionAwareMessageListener<Message> sessionAware(@Nullable Object listener) {
        if (listener instanceof SessionAwareMessageListener<?> aware) {
            return (SessionAwareMessageListener<Message>) aware;
        }
        if (listener instanceof MessageListener plain) {
            return (message, session) -> plain.onMessage(message);
        }
        throw new IllegalStateException("not a listener of messages: " + listener);
    }
}

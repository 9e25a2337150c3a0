package dev.semel.messaging.jms.spring;

import dev.semel.messaging.Delivery;
import dev.semel.messaging.Inbox;
import dev.semel.messaging.RedeliveryPause;
import dev.semel.messaging.jms.DeadLetters;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.Session;
import org.jspecify.annotations.Nullable;
import org.springframework.jms.listener.SessionAwareMessageListener;
import org.springframework.jms.listener.adapter.ListenerExecutionFailedException;

/** A listener around another that handles each message once, in the container's transacted session. */
final class JmsInboxListener implements SessionAwareMessageListener<Message> {

    private final SessionAwareMessageListener<Message> listener;
    private final Inbox<Message> inbox;
    private final @Nullable DeadLetters deadLetters;
    private final RedeliveryPause pause;

    JmsInboxListener(
            SessionAwareMessageListener<Message> listener,
            Inbox<Message> inbox,
            @Nullable DeadLetters deadLetters,
            RedeliveryPause pause) {
        this.listener = listener;
        this.inbox = inbox;
        this.deadLetters = deadLetters;
        this.pause = pause;
    }

    @Override
    public void onMessage(Message message, Session session) throws JMSException {
        Delivery delivery = inbox.handle(message, (delivered, attempt) -> call(delivered, session));
        if (delivery instanceof Delivery.Acknowledge) {
            return;
        }
        if (delivery instanceof Delivery.DeadLetter dead && deadLetters != null) {
            deadLetters.send(session, message, dead.reason());
            return;
        }
        pause.await();
        throw new RedeliveryException(delivery);
    }

    /** The operation's policy classifies what the listener's method threw, not the adapter's wrapper. */
    private void call(Message message, Session session) throws Exception {
        try {
            listener.onMessage(message, session);
        } catch (ListenerExecutionFailedException failure) {
            throw failure.getCause() instanceof Exception cause ? cause : failure;
        }
    }
}

package dev.semel.messaging.jms;

import dev.semel.messaging.Delivery;
import dev.semel.messaging.RedeliveryPause;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import jakarta.jms.Session;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A JMS listener that handles each message once, in a transacted session.
 *
 * <ol>
 *   <li>A handled message and a duplicate are committed.
 *   <li>A message that must be redelivered is rolled back, after a pause on the session's thread.
 *   <li>A dead letter is sent to its destination with the reason, and removed from its queue, in one transaction. Without a
 *       destination it is rolled back until the broker's own limit of deliveries is reached.
 * </ol>
 *
 * <pre>{@code
 * Session session = connection.createSession(Session.SESSION_TRANSACTED);
 * Inbox<Message> inbox = Inbox.of(semel, "mailer", JmsMessageIds::of).build();
 * session.createConsumer(orders).setMessageListener(
 *         JmsReceiver.in(session, message -> inbox.handle(message, mailer)).deadLettersTo(dead));
 * }</pre>
 */
public final class JmsReceiver implements MessageListener {

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging.jms");

    private final Session session;
    private final Function<? super Message, Delivery> inbox;
    private final @Nullable DeadLetters deadLetters;
    private final RedeliveryPause pause;

    private JmsReceiver(
            Session session,
            Function<? super Message, Delivery> inbox,
            @Nullable DeadLetters deadLetters,
            RedeliveryPause pause) {
        this.session = session;
        this.inbox = inbox;
        this.deadLetters = deadLetters;
        this.pause = pause;
    }

    /**
     * A listener for messages of this session, which must have no other consumer: their messages would be committed and rolled
     * back together.
     *
     * @param inbox handles a message once, such as {@code message -> inbox.handle(message, handler)}
     * @throws IllegalArgumentException when the session is not transacted
     */
    public static JmsReceiver in(Session session, Function<? super Message, Delivery> inbox) throws JMSException {
        if (!session.getTransacted()) {
            throw new IllegalArgumentException(
                    "the session is not transacted: create it with createSession(Session.SESSION_TRANSACTED)");
        }
        return new JmsReceiver(session, inbox, null, RedeliveryPause.DEFAULT);
    }

    /** The destination of dead letters; by default the broker's own limit of deliveries applies. */
    public JmsReceiver deadLettersTo(Destination destination) {
        return new JmsReceiver(session, inbox, new DeadLetters(destination), pause);
    }

    /** The pause before a rollback; one second by default. Use none for a broker with a redelivery delay of its own. */
    public JmsReceiver pause(RedeliveryPause redeliveryPause) {
        return new JmsReceiver(session, inbox, deadLetters, redeliveryPause);
    }

    @Override
    public void onMessage(Message message) {
        try {
            if (isDone(message)) {
                session.commit();
            } else {
                pause.await();
                session.rollback();
            }
        } catch (JMSException | RuntimeException | Error e) {
            undo(e);
        }
    }

    private boolean isDone(Message message) throws JMSException {
        Delivery delivery = inbox.apply(message);
        if (!(delivery instanceof Delivery.DeadLetter dead)) {
            return delivery instanceof Delivery.Acknowledge;
        }
        LOG.log(System.Logger.Level.WARNING, "a message is a dead letter: {0}", dead.reason());
        if (deadLetters == null) {
            return false;
        }
        deadLetters.send(session, message, dead.reason());
        return true;
    }

    /** Rolls back: otherwise the next commit would include the message. */
    private void undo(Throwable why) {
        LOG.log(System.Logger.Level.WARNING, "handling a message failed: the broker redelivers it", why);
        pause.await();
        try {
            session.rollback();
        } catch (JMSException e) {
            LOG.log(System.Logger.Level.DEBUG, "the session is closed, which rolls it back", e);
        }
    }
}

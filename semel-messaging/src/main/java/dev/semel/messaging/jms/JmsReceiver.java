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
 *   <li>A message that is done with, now or earlier, is committed.
 *   <li>One that has to come again is rolled back, after a pause on the session's thread.
 *   <li>A dead letter is sent to its destination with the reason, and taken off its queue, in one transaction. Without a
 *       destination it is rolled back until the broker's own limit of deliveries puts it away.
 * </ol>
 *
 * <pre>{@code
 * Session session = connection.createSession(Session.SESSION_TRANSACTED);
 * Inbox<Message> inbox = Inbox.of(semel, "mailer", JmsLetters::of).build();
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
     * A listener in the session that its messages come through, which must have no other consumer: they would be committed
     * and rolled back together.
     *
     * @param inbox handles a message once, such as {@code message -> inbox.handle(message, handler)}
     * @throws IllegalArgumentException when the session is not transacted
     */
    public static JmsReceiver in(Session session, Function<? super Message, Delivery> inbox) throws JMSException {
        if (!session.getTransacted()) {
            throw new IllegalArgumentException(
                    "the session is not transacted: create it with Session.SESSION_TRANSACTED");
        }
        return new JmsReceiver(session, inbox, null, RedeliveryPause.DEFAULT);
    }

    /** Where dead letters go; by default they are left to the broker. */
    public JmsReceiver deadLettersTo(Destination destination) {
        return new JmsReceiver(session, inbox, new DeadLetters(destination), pause);
    }

    /** How long a message that has to come again is kept back; a second by default, none for a broker that waits itself. */
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

    /** Without this the message would be committed together with the next one. */
    private void undo(Throwable why) {
        LOG.log(System.Logger.Level.WARNING, "a message will be delivered again", why);
        pause.await();
        try {
            session.rollback();
        } catch (JMSException e) {
            LOG.log(System.Logger.Level.DEBUG, "the session is closed, which rolls it back", e);
        }
    }
}

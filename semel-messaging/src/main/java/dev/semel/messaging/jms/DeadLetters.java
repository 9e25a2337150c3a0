package dev.semel.messaging.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where messages go that cannot be handled, together with the reason; in the transaction that takes them off their queue. */
public final class DeadLetters {

    /** Why the message is there, as its record says. */
    public static final String REASON_PROPERTY = "semel_reason";

    /** The id that the message had on its own queue: sending it has given it another. */
    public static final String ORIGINAL_ID_PROPERTY = "semel_message_id";

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging.jms");

    private final Destination destination;

    public DeadLetters(Destination destination) {
        this.destination = destination;
    }

    /** Sends a received message there, which is gone from its queue and arrives there when the session is committed. */
    public void send(Session session, Message message, String reason) throws JMSException {
        Map<String, Object> properties = propertiesOf(message);
        properties.put(REASON_PROPERTY, reason);
        if (message.getJMSMessageID() != null) {
            properties.put(ORIGINAL_ID_PROPERTY, message.getJMSMessageID());
        }
        // A received message's properties cannot be changed, only be written anew.
        message.clearProperties();
        properties.forEach((name, value) -> set(message, name, value));
        try (MessageProducer producer = session.createProducer(destination)) {
            producer.send(
                    message, message.getJMSDeliveryMode(), message.getJMSPriority(), Message.DEFAULT_TIME_TO_LIVE);
        }
    }

    /** Clients of other protocols set properties that JMS lets nobody set; without them the rest arrives all the same. */
    private static void set(Message message, String name, Object value) {
        try {
            message.setObjectProperty(name, value);
        } catch (JMSException | RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "a dead letter loses its property " + name, e);
        }
    }

    private static Map<String, Object> propertiesOf(Message message) throws JMSException {
        Map<String, Object> properties = new LinkedHashMap<>();
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = String.valueOf(names.nextElement());
            // These are the provider's own, such as how often it has delivered the message.
            if (!name.startsWith("JMS")) {
                properties.put(name, message.getObjectProperty(name));
            }
        }
        return properties;
    }
}

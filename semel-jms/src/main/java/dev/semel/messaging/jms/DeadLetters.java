package dev.semel.messaging.jms;

import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Moves messages that cannot be handled to a destination, with the reason, in the session's transaction. */
public final class DeadLetters {

    /** The property with the reason that the message's record holds. */
    public static final String REASON_PROPERTY = "semel_reason";

    /** The property with the id that the message had on its own queue: sending it assigns another. */
    public static final String ORIGINAL_ID_PROPERTY = "semel_message_id";

    private static final System.Logger LOG = System.getLogger("dev.semel.messaging.jms");

    /** Looks up the destination in the session that sends to it. */
    private interface DestinationLookup {
        Destination in(Session session) throws JMSException;
    }

    private final DestinationLookup destination;

    public DeadLetters(Destination destination) {
        this(session -> destination);
    }

    private DeadLetters(DestinationLookup destination) {
        this.destination = destination;
    }

    /** Dead letters for the queue of this name. */
    public static DeadLetters toQueue(String name) {
        return new DeadLetters(session -> session.createQueue(name));
    }

    /** Sends a received message to the destination; the session's commit also removes it from its queue. */
    public void send(Session session, Message message, String reason) throws JMSException {
        Map<String, Object> properties = propertiesOf(message);
        properties.put(REASON_PROPERTY, reason);
        if (message.getJMSMessageID() != null) {
            properties.put(ORIGINAL_ID_PROPERTY, message.getJMSMessageID());
        }
        // The properties of a received message are read-only until they are cleared.
        message.clearProperties();
        properties.forEach((name, value) -> set(message, name, value));
        try (MessageProducer producer = session.createProducer(destination.in(session))) {
            producer.send(
                    message, message.getJMSDeliveryMode(), message.getJMSPriority(), Message.DEFAULT_TIME_TO_LIVE);
        }
    }

    /** Clients of other protocols set properties that JMS does not allow to set; the dead letter is sent without those. */
    private static void set(Message message, String name, Object value) {
        try {
            message.setObjectProperty(name, value);
        } catch (JMSException | RuntimeException e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "a dead letter is sent without its property " + name + ", which JMS does not allow to set",
                    e);
        }
    }

    private static Map<String, Object> propertiesOf(Message message) throws JMSException {
        Map<String, Object> properties = new LinkedHashMap<>();
        Enumeration<?> names = message.getPropertyNames();
        while (names.hasMoreElements()) {
            String name = String.valueOf(names.nextElement());
            // The provider's own properties, such as the delivery count.
            if (!name.startsWith("JMS")) {
                properties.put(name, message.getObjectProperty(name));
            }
        }
        return properties;
    }
}

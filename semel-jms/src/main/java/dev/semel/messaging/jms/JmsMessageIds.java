package dev.semel.messaging.jms;

import dev.semel.messaging.MessageIdentity;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads the identity of JMS messages: the property {@code idempotency_key}, else the message's id, else the content.
 *
 * <p>A provider assigns a new {@code JMSMessageID} to every send: it recognizes redeliveries of the broker, and not messages
 * that a sender sends twice. {@code JMSRedelivered} and {@code JMSXDeliveryCount} are not used: they count deliveries, handled
 * or not.
 */
public final class JmsMessageIds {

    /** The property with the sender's idempotency key; property names must not contain dashes. */
    public static final String KEY_PROPERTY = "idempotency_key";

    private static final byte[] NO_CONTENT = new byte[0];

    private JmsMessageIds() {}

    /**
     * The message's identity: by id and content of a text or bytes message, by the id alone of any other kind of message.
     *
     * @throws IllegalArgumentException when the message has neither an id nor readable content, or the property is not text
     */
    public static MessageIdentity of(Message message) {
        try {
            String key = message.getStringProperty(KEY_PROPERTY);
            String id = key == null || key.isEmpty() ? message.getJMSMessageID() : key;
            byte[] content = contentOf(message);
            if (content == null && (id == null || id.isEmpty())) {
                throw new IllegalArgumentException(
                        "the message has no id, and it is neither a text nor a bytes message that its content identifies");
            }
            return MessageIdentity.of(id, content == null ? NO_CONTENT : content);
        } catch (MessageFormatException e) {
            throw new IllegalArgumentException("the property " + KEY_PROPERTY + " is not text", e);
        } catch (JMSException e) {
            throw unreadable(e);
        }
    }

    /** Null for objects, maps and streams: deserializing an object could execute code of an attacker. */
    private static byte @Nullable [] contentOf(Message message) throws JMSException {
        if (message instanceof TextMessage text) {
            String content = text.getText();
            return content == null ? NO_CONTENT : content.getBytes(StandardCharsets.UTF_8);
        }
        if (message instanceof BytesMessage bytes) {
            bytes.reset();
            byte[] content = new byte[Math.toIntExact(bytes.getBodyLength())];
            bytes.readBytes(content);
            bytes.reset();
            return content;
        }
        return null;
    }

    private static JMSRuntimeException unreadable(JMSException e) {
        return new JMSRuntimeException("the message cannot be read", e.getErrorCode(), e);
    }
}

package dev.semel.messaging.jms;

import dev.semel.messaging.Letter;
import jakarta.jms.BytesMessage;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.Message;
import jakarta.jms.MessageFormatException;
import jakarta.jms.TextMessage;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * What tells JMS messages apart: the property {@code idempotency_key}, else the message's id, else the content.
 *
 * <p>A {@code JMSMessageID} is given anew each time a message is sent: it tells that a broker has delivered a message again,
 * and not that a sender has sent it again. Neither do {@code JMSRedelivered} and {@code JMSXDeliveryCount}, which count what
 * a broker tried, not what a consumer has done.
 */
public final class JmsLetters {

    /** The property in which a sender names its intent; names of properties cannot have dashes. */
    public static final String KEY_PROPERTY = "idempotency_key";

    private static final byte[] NO_CONTENT = new byte[0];

    private JmsLetters() {}

    /**
     * Of a text or of bytes by id and content, of any other kind of message by its id.
     *
     * @throws IllegalArgumentException when there is neither an id nor a content to go by, or the property is no text
     */
    public static Letter of(Message message) {
        try {
            String key = message.getStringProperty(KEY_PROPERTY);
            String id = key == null || key.isEmpty() ? message.getJMSMessageID() : key;
            byte[] content = contentOf(message);
            if (content == null && (id == null || id.isEmpty())) {
                throw new IllegalArgumentException("a message without an id that is neither text nor bytes");
            }
            return Letter.of(id, content == null ? NO_CONTENT : content);
        } catch (MessageFormatException e) {
            throw new IllegalArgumentException("the property " + KEY_PROPERTY + " is no text", e);
        } catch (JMSException e) {
            throw unreadable(e);
        }
    }

    /** Null for objects, maps and streams: reading an object would run what a stranger has put there. */
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
        return new JMSRuntimeException("a message cannot be read", e.getErrorCode(), e);
    }
}

package dev.semel.messaging.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.LongString;
import dev.semel.messaging.MessageIdentity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the identity of AMQP messages: the header {@code idempotency-key}, else the property {@code message-id}, else the
 * content.
 *
 * <p>The redelivered flag is not used: it is false when a sender publishes a message twice, and true after any attempt to
 * deliver it, handled or not.
 */
public final class AmqpMessageIds {

    /** The header with the sender's idempotency key, for libraries that assign a new message-id to every publication. */
    public static final String KEY_HEADER = "idempotency-key";

    private AmqpMessageIds() {}

    /**
     * The message's identity, by its header, its message-id or its content.
     *
     * @throws IllegalArgumentException when the header is neither a string nor an integer
     */
    public static MessageIdentity of(Delivery message) {
        return MessageIdentity.of(idOf(message.getProperties()), message.getBody());
    }

    private static @Nullable String idOf(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        Object key = headers == null ? null : headers.get(KEY_HEADER);
        String named = key == null ? "" : textOf(key);
        return named.isEmpty() ? properties.getMessageId() : named;
    }

    /** The string form of other types, such as byte arrays, differs from one delivery to the next. */
    private static String textOf(Object key) {
        if (key instanceof LongString || key instanceof String || key instanceof Long || key instanceof Integer) {
            return key.toString();
        }
        throw new IllegalArgumentException("the header " + KEY_HEADER + " is a "
                + key.getClass().getSimpleName() + ", it must be a string or an integer");
    }
}

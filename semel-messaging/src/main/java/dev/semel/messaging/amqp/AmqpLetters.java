package dev.semel.messaging.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
import com.rabbitmq.client.LongString;
import dev.semel.messaging.Letter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What tells AMQP messages apart: the header {@code idempotency-key}, else the property {@code message-id}, else the
 * content.
 *
 * <p>The redelivered flag does not: it is false when a sender has published a message twice, and true when a broker has only
 * tried to deliver it.
 */
public final class AmqpLetters {

    /** The header in which a sender names its intent, for libraries that give every publication a message-id of its own. */
    public static final String KEY_HEADER = "idempotency-key";

    private AmqpLetters() {}

    /**
     * By its header, its id or its content.
     *
     * @throws IllegalArgumentException when the header is there and is neither text nor a whole number
     */
    public static Letter of(Delivery message) {
        return Letter.of(idOf(message.getProperties()), message.getBody());
    }

    private static @Nullable String idOf(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        Object key = headers == null ? null : headers.get(KEY_HEADER);
        String named = key == null ? "" : textOf(key);
        return named.isEmpty() ? properties.getMessageId() : named;
    }

    /** Of anything else than these, such as bytes, Java's text differs from one delivery to the next. */
    private static String textOf(Object key) {
        if (key instanceof LongString || key instanceof String || key instanceof Long || key instanceof Integer) {
            return key.toString();
        }
        throw new IllegalArgumentException(
                "the header " + KEY_HEADER + " is a " + key.getClass().getSimpleName() + ", and no text");
    }
}

package dev.semel.messaging.amqp;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Delivery;
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

    public static Letter of(Delivery message) {
        return Letter.of(idOf(message.getProperties()), message.getBody());
    }

    private static @Nullable String idOf(BasicProperties properties) {
        Map<String, Object> headers = properties.getHeaders();
        Object key = headers == null ? null : headers.get(KEY_HEADER);
        return key == null ? properties.getMessageId() : key.toString();
    }
}

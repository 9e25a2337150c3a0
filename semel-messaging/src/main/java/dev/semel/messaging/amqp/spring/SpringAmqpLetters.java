package dev.semel.messaging.amqp.spring;

import dev.semel.messaging.Letter;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/**
 * What tells messages of Spring AMQP apart: the header {@code idempotency-key}, else the property {@code message-id}, else
 * the content; never the redelivered flag.
 */
public final class SpringAmqpLetters {

    /** The header in which a sender names its intent, the same as without Spring. */
    public static final String KEY_HEADER = "idempotency-key";

    private SpringAmqpLetters() {}

    /**
     * By its header, its id or its content.
     *
     * @throws IllegalArgumentException when the header is there and is neither text nor a whole number
     */
    public static Letter of(Message message) {
        return Letter.of(idOf(message), message.getBody());
    }

    private static @Nullable String idOf(Message message) {
        Object key = message.getMessageProperties().getHeader(KEY_HEADER);
        String named = key == null ? "" : textOf(key);
        return named.isEmpty() ? message.getMessageProperties().getMessageId() : named;
    }

    /** Of anything else than these, such as a stream of a long text, Java's text differs from one delivery to the next. */
    private static String textOf(Object key) {
        if (key instanceof String || key instanceof Long || key instanceof Integer) {
            return key.toString();
        }
        throw new IllegalArgumentException(
                "the header " + KEY_HEADER + " is a " + key.getClass().getSimpleName() + ", and no text");
    }
}

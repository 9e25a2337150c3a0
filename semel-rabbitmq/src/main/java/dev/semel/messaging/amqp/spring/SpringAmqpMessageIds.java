package dev.semel.messaging.amqp.spring;

import dev.semel.messaging.MessageIdentity;
import org.jspecify.annotations.Nullable;
import org.springframework.amqp.core.Message;

/**
 * Reads the identity of Spring AMQP messages: the header {@code idempotency-key}, else the property {@code message-id}, else
 * the content; never the redelivered flag.
 */
public final class SpringAmqpMessageIds {

    /** The header with the sender's idempotency key, the same as without Spring. */
    public static final String KEY_HEADER = "idempotency-key";

    private SpringAmqpMessageIds() {}

    /**
     * The message's identity, by its header, its message-id or its content.
     *
     * @throws IllegalArgumentException when the header is neither a string nor an integer
     */
    public static MessageIdentity of(Message message) {
        return MessageIdentity.of(idOf(message), message.getBody());
    }

    private static @Nullable String idOf(Message message) {
        Object key = message.getMessageProperties().getHeader(KEY_HEADER);
        String named = key == null ? "" : textOf(key);
        return named.isEmpty() ? message.getMessageProperties().getMessageId() : named;
    }

    /** The string form of other types, such as a stream of a long text, differs from one delivery to the next. */
    private static String textOf(Object key) {
        if (key instanceof String || key instanceof Long || key instanceof Integer) {
            return key.toString();
        }
        throw new IllegalArgumentException("the header " + KEY_HEADER + " is a "
                + key.getClass().getSimpleName() + ", it must be a string or an integer");
    }
}

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

    public static Letter of(Message message) {
        return Letter.of(idOf(message), message.getBody());
    }

    private static @Nullable String idOf(Message message) {
        Object key = message.getMessageProperties().getHeader(KEY_HEADER);
        return key == null ? message.getMessageProperties().getMessageId() : key.toString();
    }
}

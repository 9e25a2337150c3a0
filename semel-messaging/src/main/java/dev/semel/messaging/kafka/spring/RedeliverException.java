package dev.semel.messaging.kafka.spring;

import org.jspecify.annotations.Nullable;

/**
 * Says to Spring's container that a record has to come again: its handler failed, somebody else is at it, its outcome is
 * unknown, or the store cannot be asked. It must never be given up for that; the inbox counts attempts itself.
 */
public final class RedeliverException extends RuntimeException {

    RedeliverException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}

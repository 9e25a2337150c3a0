package dev.semel.messaging.kafka.spring;

import org.jspecify.annotations.Nullable;

/**
 * Signals to Spring's container that a record must be redelivered: its handler failed, another consumer is handling it, its
 * outcome is unknown, or the store is unavailable. The container must not limit the retries; the inbox counts attempts.
 */
public final class RedeliverException extends RuntimeException {

    RedeliverException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}

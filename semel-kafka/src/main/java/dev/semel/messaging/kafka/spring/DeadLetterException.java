package dev.semel.messaging.kafka.spring;

import org.jspecify.annotations.Nullable;

/** Signals to Spring's container that a record is a dead letter and must not be retried. */
public final class DeadLetterException extends RuntimeException {

    DeadLetterException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}

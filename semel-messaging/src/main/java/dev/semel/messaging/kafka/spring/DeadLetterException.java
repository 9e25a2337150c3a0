package dev.semel.messaging.kafka.spring;

import org.jspecify.annotations.Nullable;

/** Says to Spring's container that a record cannot be handled, and that there is no use in trying again. */
public final class DeadLetterException extends RuntimeException {

    DeadLetterException(String reason, @Nullable Throwable cause) {
        super(reason, cause);
    }
}

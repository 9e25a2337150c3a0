package dev.semel.messaging.webhook;

import dev.semel.NotExecutedException;

/** Thrown by a handler for a delivery that is genuine and has no usable content: nothing was executed, and the answer is 400. */
public final class NotAnEventException extends NotExecutedException {

    public NotAnEventException(String message) {
        super(message);
    }

    public NotAnEventException(String message, Throwable cause) {
        super(message, cause);
    }
}

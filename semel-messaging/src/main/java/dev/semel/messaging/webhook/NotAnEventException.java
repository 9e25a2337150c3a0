package dev.semel.messaging.webhook;

import dev.semel.NotExecutedException;

/** Thrown by a handler for a delivery that is the sender's, but makes no sense: nothing has happened, and it is answered 400. */
public final class NotAnEventException extends NotExecutedException {

    public NotAnEventException(String message) {
        super(message);
    }

    public NotAnEventException(String message, Throwable cause) {
        super(message, cause);
    }
}

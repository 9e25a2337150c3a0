package dev.semel;

/** Thrown by an operation's code to say that nobody knows whether it had its effect: the record becomes unknown. */
public class OutcomeUnknownException extends RuntimeException {

    public OutcomeUnknownException(String message) {
        super(message);
    }

    public OutcomeUnknownException(String message, Throwable cause) {
        super(message, cause);
    }
}

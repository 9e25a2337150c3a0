package dev.semel;

/** Thrown by an operation's code to say that it provably had no effect: the key is released for the next request. */
public class NotExecutedException extends RuntimeException {

    public NotExecutedException(String message) {
        super(message);
    }

    public NotExecutedException(String message, Throwable cause) {
        super(message, cause);
    }
}

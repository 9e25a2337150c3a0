package dev.semel.examples.payments;

import dev.semel.StoreException;

/** Thrown when the demo cannot start; the message is for its user. */
final class DemoFailure extends RuntimeException {

    DemoFailure(String message) {
        super(message);
    }

    private DemoFailure(String message, Throwable cause) {
        super(message, cause);
    }

    /** The failure of the application to start: the message of the store, otherwise that of the root cause. */
    static DemoFailure starting(String store, Throwable failure) {
        Throwable cause = failure;
        while (!(cause instanceof StoreException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        String words = String.valueOf(cause.getMessage());
        return new DemoFailure(
                cause instanceof StoreException ? "the store " + store + " cannot be used: " + words : words, failure);
    }
}

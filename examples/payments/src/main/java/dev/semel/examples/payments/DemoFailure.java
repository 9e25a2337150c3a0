package dev.semel.examples.payments;

import dev.semel.StoreException;

/** A reason why the demo cannot start that its user can do something about. */
final class DemoFailure extends RuntimeException {

    DemoFailure(String message) {
        super(message);
    }

    /** The one line that explains a failure: what Semel or the demo says about it, otherwise what lies at its bottom. */
    static String explain(Throwable failure) {
        Throwable cause = failure;
        while (!speaksToUsers(cause) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private static boolean speaksToUsers(Throwable cause) {
        return cause instanceof DemoFailure || cause instanceof StoreException;
    }
}

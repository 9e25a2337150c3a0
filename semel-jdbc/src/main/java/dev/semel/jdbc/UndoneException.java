package dev.semel.jdbc;

import dev.semel.StoreException;

/** Nothing of a batch was written, and one of its calls may be the only one to blame. */
class UndoneException extends StoreException {

    private static final long serialVersionUID = 1L;

    UndoneException(String message) {
        super(message);
    }

    UndoneException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Another transaction holds what this one waited for. */
    static final class Held extends UndoneException {

        private static final long serialVersionUID = 1L;

        Held(String message) {
            super(message);
        }
    }
}

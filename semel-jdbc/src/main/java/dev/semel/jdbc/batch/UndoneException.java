package dev.semel.jdbc.batch;

import dev.semel.StoreException;

/** Nothing of a batch was written, and a single call of it may be the cause. */
public class UndoneException extends StoreException {

    private static final long serialVersionUID = 1L;

    public UndoneException(String message) {
        super(message);
    }

    public UndoneException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Another transaction holds what this one waited for. */
    public static final class Held extends UndoneException {

        private static final long serialVersionUID = 1L;

        public Held(String message) {
            super(message);
        }
    }
}

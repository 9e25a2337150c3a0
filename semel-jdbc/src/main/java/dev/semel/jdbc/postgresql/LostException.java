package dev.semel.jdbc.postgresql;

import dev.semel.StoreException;

/** The connection ended under a statement: nobody knows whether it was executed. */
final class LostException extends StoreException {

    private static final long serialVersionUID = 1L;

    LostException(String message, Throwable cause) {
        super(message, cause);
    }
}

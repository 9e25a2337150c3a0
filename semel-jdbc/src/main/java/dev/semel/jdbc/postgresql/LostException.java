package dev.semel.jdbc.postgresql;

import dev.semel.StoreException;

/** The connection was lost during a statement, which may or may not have been executed. */
final class LostException extends StoreException {

    private static final long serialVersionUID = 1L;

    LostException(String message, Throwable cause) {
        super(message, cause);
    }
}

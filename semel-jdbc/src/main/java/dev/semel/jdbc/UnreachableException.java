package dev.semel.jdbc;

import dev.semel.StoreException;

/** There is no connection to the server: nothing was asked, and whoever else waits would only wait for the same answer. */
final class UnreachableException extends StoreException {

    private static final long serialVersionUID = 1L;

    UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}

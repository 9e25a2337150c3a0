package dev.semel.jdbc.batch;

import dev.semel.StoreException;

/** There is no connection to the server: no statement was sent, and every other call that waits would fail, too. */
public final class UnreachableException extends StoreException {

    private static final long serialVersionUID = 1L;

    public UnreachableException(String message, Throwable cause) {
        super(message, cause);
    }
}

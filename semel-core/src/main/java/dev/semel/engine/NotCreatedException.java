package dev.semel.engine;

import dev.semel.StoreException;

/** There is no store at this place yet: its server can be used, but holds no tables, file or layout of Semel's. */
public final class NotCreatedException extends StoreException {

    private static final long serialVersionUID = 1L;

    public NotCreatedException(String message) {
        super(message);
    }

    public NotCreatedException(String message, Throwable cause) {
        super(message, cause);
    }
}

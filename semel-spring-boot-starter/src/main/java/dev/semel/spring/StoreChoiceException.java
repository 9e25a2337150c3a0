package dev.semel.spring;

import dev.semel.StoreException;

/** The properties and beans of an application do not say where its records are to be kept; nothing was opened. */
final class StoreChoiceException extends StoreException {

    private static final long serialVersionUID = 1;

    private final String action;

    /** @param action what the application's developer does about it */
    StoreChoiceException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}

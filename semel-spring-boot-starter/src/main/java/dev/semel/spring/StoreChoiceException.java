package dev.semel.spring;

import dev.semel.StoreException;

/** Thrown when the properties and beans of an application do not determine a store; nothing was opened. */
final class StoreChoiceException extends StoreException {

    private static final long serialVersionUID = 1;

    private final String action;

    /** @param action what the developer should do */
    StoreChoiceException(String message, String action) {
        super(message);
        this.action = action;
    }

    String action() {
        return action;
    }
}

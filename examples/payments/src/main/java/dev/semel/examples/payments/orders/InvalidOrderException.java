package dev.semel.examples.payments.orders;

import java.util.Map;

/** Thrown for an order with invalid fields, each with its reason. */
public final class InvalidOrderException extends RuntimeException {

    private final transient Map<String, String> errors;

    InvalidOrderException(Map<String, String> errors) {
        super("invalid: " + String.join(", ", errors.keySet()));
        this.errors = errors;
    }

    public Map<String, String> errors() {
        return errors;
    }
}

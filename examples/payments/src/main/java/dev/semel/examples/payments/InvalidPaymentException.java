package dev.semel.examples.payments;

import java.util.Map;

/** Thrown for a request with invalid fields, each with its reason. */
final class InvalidPaymentException extends RuntimeException {

    private final transient Map<String, String> errors;

    InvalidPaymentException(Map<String, String> errors) {
        super("invalid: " + errors.keySet());
        this.errors = errors;
    }

    Map<String, String> errors() {
        return errors;
    }
}

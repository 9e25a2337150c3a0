package dev.semel.examples.payments;

import java.util.Map;

/** A request whose fields are wrong, each with its reason. */
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

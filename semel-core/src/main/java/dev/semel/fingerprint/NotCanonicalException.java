package dev.semel.fingerprint;

/** A body that has no canonical form; checked, so that it never leaves this package as a fault. */
final class NotCanonicalException extends Exception {

    NotCanonicalException(String reason) {
        super(reason);
    }

    NotCanonicalException(String reason, Throwable cause) {
        super(reason, cause);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}

package dev.semel.fingerprint;

/**
 * A body that has no canonical form; checked, so that it never leaves this package as a fault. It costs no stack trace,
 * since clients can cause it at will.
 */
final class NotCanonicalException extends Exception {

    NotCanonicalException(String reason) {
        super(reason, null, false, false);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}

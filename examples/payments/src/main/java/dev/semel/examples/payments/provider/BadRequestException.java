package dev.semel.examples.payments.provider;

/** Thrown for an invalid request; the message is for its sender. */
final class BadRequestException extends RuntimeException {

    BadRequestException(String message) {
        super(message);
    }
}

package dev.semel.examples.payments.provider;

/** A request that the provider does not understand; the message is for its sender. */
final class BadRequestException extends RuntimeException {

    BadRequestException(String message) {
        super(message);
    }
}

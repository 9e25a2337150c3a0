package dev.semel.examples.payments.provider;

/** A failure of the provider itself, in which nothing was charged. */
final class ProviderFailure extends RuntimeException {

    ProviderFailure(String message) {
        super(message);
    }
}

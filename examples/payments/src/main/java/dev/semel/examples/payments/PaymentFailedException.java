package dev.semel.examples.payments;

/** Thrown for a payment that the provider answered, and did not charge. */
final class PaymentFailedException extends RuntimeException {

    private final ProviderClient.Answer answer;

    PaymentFailedException(ProviderClient.Answer answer) {
        super("the provider's answer was " + answer);
        this.answer = answer;
    }

    ProviderClient.Answer answer() {
        return answer;
    }
}

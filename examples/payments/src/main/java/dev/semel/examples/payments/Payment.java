package dev.semel.examples.payments;

/** A payment that succeeded, as clients see it. */
public record Payment(
        String paymentId, String status, String customerId, long amountCents, String currency, String paymentMethod) {

    static final String SUCCEEDED = "succeeded";
}

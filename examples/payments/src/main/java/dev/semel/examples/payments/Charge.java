package dev.semel.examples.payments;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What the provider's books say about a payment.
 *
 * @param id the provider's own
 * @param account whose payment it is
 * @param reference the client's idempotency key, which this application sent along
 */
record Charge(
        String id,
        @Nullable String account,
        @Nullable String reference,
        String customerId,
        long amountCents,
        String currency,
        String paymentMethod,
        String status) {

    /** @throws tools.jackson.core.JacksonException when a member is missing or of another type */
    static Charge of(JsonNode entry) {
        return new Charge(
                entry.required("id").asString(),
                entry.path("account").asStringOpt().orElse(null),
                entry.path("reference").asStringOpt().orElse(null),
                entry.required("customerId").asString(),
                entry.required("amountCents").longValue(),
                entry.required("currency").asString(),
                entry.required("paymentMethod").asString(),
                entry.required("status").asString());
    }

    boolean isDeclined() {
        return status.equals("declined");
    }

    Payment toPayment(String paymentId) {
        return new Payment(paymentId, Payment.SUCCEEDED, customerId, amountCents, currency, paymentMethod);
    }
}

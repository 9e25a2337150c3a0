package dev.semel.examples.payments;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A payment's entry in the provider's ledger.
 *
 * @param id the provider's own
 * @param key the derived key that this application sent with it
 * @param account whose payment it is
 * @param reference the client's idempotency key, which this application sent along
 */
record Charge(
        String id,
        String key,
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
                entry.required("key").asString(),
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

    /** Whether the outcome is final; a provider may have other statuses, such as pending. */
    boolean isDecided() {
        return isDeclined() || status.equals("succeeded");
    }

    /** Whether this is the charge of that payment, and not of one that used the same key long ago. */
    boolean isFor(Payment payment) {
        return customerId.equals(payment.customerId())
                && amountCents == payment.amountCents()
                && currency.equals(payment.currency());
    }

    Payment toPayment(String paymentId) {
        return new Payment(paymentId, Payment.SUCCEEDED, customerId, amountCents, currency, paymentMethod);
    }
}

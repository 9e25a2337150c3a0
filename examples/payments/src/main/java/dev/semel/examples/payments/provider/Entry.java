package dev.semel.examples.payments.provider;

import org.jspecify.annotations.Nullable;

/**
 * An entry of the ledger: a charge, or a decline.
 *
 * @param key the {@code Idempotency-Key} of the request that caused it
 * @param reference the sender's own name for it, if any
 * @param status {@code succeeded} or {@code declined}
 * @param at by the provider's clock, in ISO 8601
 */
record Entry(
        String id,
        String key,
        @Nullable String account,
        @Nullable String reference,
        String customerId,
        long amountCents,
        String currency,
        String paymentMethod,
        String status,
        String at) {

    static final String SUCCEEDED = "succeeded";
    static final String DECLINED = "declined";

    boolean isCharge() {
        return status.equals(SUCCEEDED);
    }
}

package dev.semel.examples.payments.provider;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What somebody asks the provider to charge, checked. */
record ChargeRequest(
        String key,
        @Nullable String account,
        String customerId,
        long amountCents,
        String currency,
        PaymentMethod method) {

    /** @throws BadRequestException naming the member that is missing or wrong */
    static ChargeRequest of(String key, JsonNode body) {
        if (!body.isObject()) {
            throw new BadRequestException("the body must be a JSON object");
        }
        JsonNode amount = body.path("amountCents");
        if (!amount.isIntegralNumber() || !amount.canConvertToLong() || amount.longValue() <= 0) {
            throw new BadRequestException("amountCents must be a positive integer");
        }
        String label = text(body, "paymentMethod");
        PaymentMethod method = PaymentMethod.ofLabel(label)
                .orElseThrow(() -> new BadRequestException("paymentMethod must be one of " + PaymentMethod.labels()));
        return new ChargeRequest(
                key,
                body.hasNonNull("account") ? text(body, "account") : null,
                text(body, "customerId"),
                amount.longValue(),
                text(body, "currency"),
                method);
    }

    private static String text(JsonNode body, String name) {
        JsonNode value = body.path(name);
        if (!value.isString() || value.stringValue().isBlank()) {
            throw new BadRequestException(name + " must be a text that is not empty");
        }
        return value.stringValue();
    }
}

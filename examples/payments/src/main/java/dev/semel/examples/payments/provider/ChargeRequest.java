package dev.semel.examples.payments.provider;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A valid request for a charge.
 *
 * @param reference an opaque text of the sender, which is included wherever the charge is shown
 */
record ChargeRequest(
        String key,
        @Nullable String account,
        @Nullable String reference,
        String customerId,
        long amountCents,
        String currency,
        PaymentMethod method) {

    /** Room for two names of 255 characters each, in Base64 and with something around them. */
    private static final int LONGEST_REFERENCE = 1000;

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
                optionalText(body, "account"),
                reference(body),
                text(body, "customerId"),
                amount.longValue(),
                text(body, "currency"),
                method);
    }

    private static @Nullable String reference(JsonNode body) {
        String reference = optionalText(body, "reference");
        if (reference != null && reference.length() > LONGEST_REFERENCE) {
            throw new BadRequestException("reference must not be longer than " + LONGEST_REFERENCE + " characters");
        }
        return reference;
    }

    private static @Nullable String optionalText(JsonNode body, String name) {
        return body.hasNonNull(name) ? text(body, name) : null;
    }

    private static String text(JsonNode body, String name) {
        JsonNode value = body.path(name);
        if (!value.isString() || value.stringValue().isBlank()) {
            throw new BadRequestException(name + " must be a text that is not empty");
        }
        // Half of a surrogate pair is valid JSON, but cannot be written to the ledger unchanged.
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value.stringValue())) {
            throw new BadRequestException(name + " must be text that UTF-8 can hold");
        }
        return value.stringValue();
    }
}

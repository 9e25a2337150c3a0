package dev.semel.examples.payments;

import dev.semel.examples.payments.provider.PaymentMethod;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A payment as the client sent it: not valid until {@link #checked()} has passed it.
 *
 * @param amountCents a decimal, so that {@code 1e2} is 100 and {@code 1.5} is an error instead of 1
 * @param orderId the order that it pays, if any
 */
record PaymentRequest(
        @Nullable String customerId,
        @Nullable BigDecimal amountCents,
        @Nullable String currency,
        @Nullable String paymentMethod,
        @Nullable String orderId) {

    private static final int LONGEST_ID = 200;

    private static final Pattern CURRENCY = Pattern.compile("[A-Z]{3}");

    PaymentRequest {
        if (paymentMethod == null) {
            paymentMethod = PaymentMethod.PM_OK.label();
        }
    }

    /** @throws InvalidPaymentException naming every field that is wrong */
    PaymentRequest checked() {
        Map<String, String> errors = errors();
        if (!errors.isEmpty()) {
            throw new InvalidPaymentException(errors);
        }
        return this;
    }

    private Map<String, String> errors() {
        Map<String, String> errors = new LinkedHashMap<>();
        if (customerId == null || !isStorable(customerId)) {
            errors.put("customerId", "must be 1 to 200 printable characters");
        }
        if (amountCents == null || !isPositiveLong(amountCents)) {
            errors.put("amountCents", "must be a positive integer");
        }
        if (currency == null || !CURRENCY.matcher(currency).matches()) {
            errors.put("currency", "must be three upper-case letters, such as EUR");
        }
        if (PaymentMethod.ofLabel(String.valueOf(paymentMethod)).isEmpty()) {
            errors.put("paymentMethod", "must be one of " + PaymentMethod.labels());
        }
        if (orderId != null && !isStorable(orderId)) {
            errors.put("orderId", "must be the id of an order");
        }
        return errors;
    }

    /** Whether every database can store it: a payment that can be charged but not stored could never be settled. */
    static boolean isStorable(String text) {
        return !text.isBlank()
                && text.length() <= LONGEST_ID
                && text.chars().noneMatch(c -> Character.isISOControl(c) || Character.isSurrogate((char) c));
    }

    /** The payment that this request, once checked, asks for. */
    Payment toPayment(String paymentId) {
        return new Payment(
                paymentId,
                Payment.SUCCEEDED,
                Objects.requireNonNull(customerId),
                Objects.requireNonNull(amountCents).longValueExact(),
                Objects.requireNonNull(currency),
                Objects.requireNonNull(paymentMethod));
    }

    private static boolean isPositiveLong(BigDecimal amount) {
        try {
            return amount.longValueExact() > 0;
        } catch (ArithmeticException e) {
            return false;
        }
    }
}

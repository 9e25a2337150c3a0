package dev.semel.examples.payments;

import dev.semel.examples.payments.orders.OrderPayments;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is written about a charge: the payment, and that its order is paid.
 *
 * <p>The provider's answer, its webhooks and the reconciler all report a charge. Booking it again changes nothing.
 */
final class Bookings {

    private final Payments payments;
    private final Optional<OrderPayments> orders;

    Bookings(Payments payments, Optional<OrderPayments> orders) {
        this.payments = payments;
        this.orders = orders;
    }

    /**
     * Notes which order a charge will pay, if any, before it is made.
     *
     * @throws InvalidPaymentException when the account has no such order, or it is paid
     */
    void expect(String account, @Nullable String orderId, String chargeKey) {
        if (orderId == null) {
            return;
        }
        if (orders.isEmpty() || !orders.get().expect(account, orderId, chargeKey)) {
            throw new InvalidPaymentException(Map.of("orderId", "must be one of your orders that is not paid"));
        }
    }

    void charged(String account, String chargeKey, Payment payment) {
        payments.add(account, payment);
        orders.ifPresent(each -> each.charged(chargeKey));
    }
}

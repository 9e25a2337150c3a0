package dev.semel.examples.payments;

import java.util.function.UnaryOperator;

/** A payment that succeeded, as clients see it. */
public record Payment(
        String paymentId, String status, String customerId, long amountCents, String currency, String paymentMethod) {

    static final String SUCCEEDED = "succeeded";

    private static final int ID_LENGTH = 32;

    /** The id of the payment, derived from its record, so that a resolver can compute it, too. */
    static String idOf(UnaryOperator<String> downstreamKey) {
        return "pay_" + downstreamKey.apply("payment").substring(0, ID_LENGTH);
    }
}

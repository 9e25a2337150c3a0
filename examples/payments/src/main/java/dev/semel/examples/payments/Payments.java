package dev.semel.examples.payments;

import java.util.Optional;

/** The payments of all accounts. */
interface Payments extends AutoCloseable {

    void add(String account, Payment payment);

    /** Finds a payment of this account; those of others do not exist for it. */
    Optional<Payment> find(String account, String paymentId);

    @Override
    void close();
}

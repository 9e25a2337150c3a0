package dev.semel.examples.payments;

import java.util.Optional;

/** The payments of all accounts. */
interface Payments {

    /** Stores a payment; one that exists already is not changed. */
    void add(String account, Payment payment);

    /** Finds a payment of this account only. */
    Optional<Payment> find(String account, String paymentId);
}

package dev.semel.examples.payments;

import java.util.Optional;

/** The payments of all accounts. */
interface Payments {

    /** Keeps a payment; one that is there already stays as it is. */
    void add(String account, Payment payment);

    /** Finds a payment of this account; those of others do not exist for it. */
    Optional<Payment> find(String account, String paymentId);
}

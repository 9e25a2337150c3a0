package dev.semel.examples.payments;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Payments in memory, for stores without a database; they are lost when the process ends. */
final class MemoryPayments implements Payments {

    private final Map<Id, Payment> payments = new ConcurrentHashMap<>();

    private record Id(String account, String paymentId) {}

    @Override
    public void add(String account, Payment payment) {
        payments.putIfAbsent(new Id(account, payment.paymentId()), payment);
    }

    @Override
    public Optional<Payment> find(String account, String paymentId) {
        return Optional.ofNullable(payments.get(new Id(account, paymentId)));
    }
}

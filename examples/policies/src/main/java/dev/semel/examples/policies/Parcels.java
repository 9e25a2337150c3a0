package dev.semel.examples.policies;

import dev.semel.examples.policies.Executions.Receipt;
import dev.semel.spring.Idempotent;
import org.springframework.stereotype.Service;

/** {@code @Idempotent} on a method of any bean, with the key in an expression: one parcel per order. */
@Service
class Parcels {

    record Order(String id, int quantity) {}

    private final Executions executions;

    Parcels(Executions executions) {
        this.executions = executions;
    }

    @Idempotent(operation = "ship-order", key = "#order.id")
    public Receipt ship(Order order) {
        return executions.next();
    }
}

package dev.semel.examples.payments.orders;

/** The result of placing an order. */
sealed interface Placement {

    record Placed(Order order) implements Placement {}

    /** There is not enough of this product, or no such product; nothing was reserved. */
    record Shortage(String productId) implements Placement {}

    /** The key has placed another order before, whose record has expired. */
    record UsedBefore(Order other) implements Placement {}
}

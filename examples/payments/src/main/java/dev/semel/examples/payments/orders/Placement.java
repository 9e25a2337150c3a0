package dev.semel.examples.payments.orders;

/** What became of the wish to order something. */
sealed interface Placement {

    record Placed(Order order) implements Placement {}

    /** There is not enough of this product, or no such product; nothing was reserved. */
    record Shortage(String productId) implements Placement {}

    /** The key has placed another order, so long ago that only this table remembers. */
    record UsedBefore(Order other) implements Placement {}
}

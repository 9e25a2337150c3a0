package dev.semel.examples.orderflow;

/** What became of the wish that an order has another status. */
sealed interface Move {

    /**
     * The order has this status, or had it before it went on.
     *
     * @param isNew whether this has moved it, and not an earlier request
     */
    record Made(Order order, boolean isNew) implements Move {}

    /** No way leads there from where the order is; nothing was changed. */
    record Impossible(Order order) implements Move {}

    record NoSuchOrder() implements Move {}
}

package dev.semel.examples.orderflow;

/** The result of a request to place an order. */
sealed interface Placement {

    /**
     * The order exists.
     *
     * @param isNew whether this request placed it, and not an earlier one with the same key
     */
    record Placed(Order order, boolean isNew) implements Placement {}

    /** An earlier request with this key placed another order. */
    record KeyTaken() implements Placement {}
}

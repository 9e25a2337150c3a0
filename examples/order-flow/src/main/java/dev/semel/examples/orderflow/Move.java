package dev.semel.examples.orderflow;

/** The result of a request to change an order's status. */
sealed interface Move {

    /**
     * The order has this status, or had it before a later one.
     *
     * @param isNew whether this request changed it, and not an earlier one
     */
    record Made(Order order, boolean isNew) implements Move {}

    /** The order's current status does not allow this change; nothing was changed. */
    record Impossible(Order order) implements Move {}

    record NoSuchOrder() implements Move {}
}

package dev.semel.examples.orderflow;

/** What became of the wish to order something. */
sealed interface Placement {

    /**
     * The order is there.
     *
     * @param isNew whether this has placed it, and not an earlier request of the same key
     */
    record Placed(Order order, boolean isNew) implements Placement {}

    /** The key has placed another order. */
    record KeyTaken() implements Placement {}
}

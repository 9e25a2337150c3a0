package dev.semel.examples.payments.orders;

import java.util.List;

/** An order as clients see it. */
public record Order(String orderId, String status, List<Item> items) {

    /** A product and its quantity. */
    public record Item(String productId, int quantity) {}
}

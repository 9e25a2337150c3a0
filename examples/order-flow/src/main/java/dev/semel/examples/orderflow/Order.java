package dev.semel.examples.orderflow;

/** An order, as clients see it, as messages tell of it, and as it is kept. */
record Order(String orderId, String customer, String item, String status) {

    boolean isFor(String otherCustomer, String otherItem) {
        return customer.equals(otherCustomer) && item.equals(otherItem);
    }
}

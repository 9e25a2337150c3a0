package dev.semel.examples.orderflow;

/** An order, as in the API, in messages and in the table. */
record Order(String orderId, String customer, String item, String status) {

    boolean isFor(String otherCustomer, String otherItem) {
        return customer.equals(otherCustomer) && item.equals(otherItem);
    }
}

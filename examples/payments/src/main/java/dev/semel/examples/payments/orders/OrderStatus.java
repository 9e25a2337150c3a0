package dev.semel.examples.payments.orders;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The status of an order, which only moves forward. */
enum OrderStatus {
    PLACED,
    PAID,
    SHIPPED,
    DELIVERED;

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<OrderStatus> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(status -> status.label().equals(label))
                .findFirst();
    }

    static String labels() {
        return Arrays.stream(values()).map(OrderStatus::label).collect(Collectors.joining(", "));
    }
}

package dev.semel.examples.orderflow;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The status of an order. No transition leads back, so an order enters each status at most once. */
enum OrderStatus {
    PLACED,
    CONFIRMED,
    SHIPPED,
    CANCELLED;

    boolean leadsTo(OrderStatus next) {
        return switch (this) {
            case PLACED -> Set.of(CONFIRMED, CANCELLED).contains(next);
            case CONFIRMED -> Set.of(SHIPPED, CANCELLED).contains(next);
            case SHIPPED, CANCELLED -> false;
        };
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<OrderStatus> ofLabel(String label) {
        return Arrays.stream(values())
                .filter(status -> status.label().equals(label))
                .findFirst();
    }
}

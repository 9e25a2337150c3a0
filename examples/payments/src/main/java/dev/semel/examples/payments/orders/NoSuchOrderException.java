package dev.semel.examples.payments.orders;

/** Thrown when the account has no order with this id. */
public final class NoSuchOrderException extends RuntimeException {}

package dev.semel.examples.payments.orders;

/** An order that does not exist, or not for this account. */
public final class NoSuchOrderException extends RuntimeException {}

package dev.semel.examples.payments;

/** Thrown when the account has no payment with this id. */
final class NoSuchPaymentException extends RuntimeException {}

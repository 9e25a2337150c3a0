package dev.semel.examples.payments;

/** The account has no payment with this id. */
final class NoSuchPaymentException extends RuntimeException {}

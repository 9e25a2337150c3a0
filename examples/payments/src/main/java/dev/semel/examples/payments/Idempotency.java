package dev.semel.examples.payments;

final class Idempotency { static final String ATTEMPT = "x"; private Idempotency() {} }

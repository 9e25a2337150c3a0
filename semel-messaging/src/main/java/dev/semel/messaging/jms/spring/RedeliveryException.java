package dev.semel.messaging.jms.spring;

import dev.semel.messaging.Delivery;

/** Tells the container to roll back, so that the message comes again. */
final class RedeliveryException extends RuntimeException {

    RedeliveryException(Delivery delivery) {
        super(delivery.toString());
    }
}

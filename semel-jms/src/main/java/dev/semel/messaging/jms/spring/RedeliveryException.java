package dev.semel.messaging.jms.spring;

import dev.semel.messaging.Delivery;

/** Makes the container roll back, so that the broker redelivers the message. */
final class RedeliveryException extends RuntimeException {

    RedeliveryException(Delivery delivery) {
        super(delivery.toString());
    }
}

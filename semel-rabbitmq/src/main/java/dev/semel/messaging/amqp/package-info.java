/** Consumers of RabbitMQ and other AMQP 0-9-1 brokers that handle each message once, on the RabbitMQ client. */
@NullMarked
package dev.semel.messaging.amqp;

import org.jspecify.annotations.NullMarked;
